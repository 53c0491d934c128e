import type { FinalReason } from "../event/run-event.js";

/** Returns the instruction for the closing turn. */
export function closingInstruction(final: FinalReason): string {
  return `${WHY[final]} ${SUM_UP}`;
}

const WHY: Readonly<Record<FinalReason, string>> = {
  terminated: "The work is done.",
  max_steps: "This run reached its step limit. No more tools can be called.",
  max_tokens: "This run reached its token limit. No more tools can be called.",
  max_cost: "This run reached its cost limit. No more tools can be called.",
  invalid_args: "Three turns in a row made only calls with invalid arguments. No more tools can be called.",
  output_limit:
    "Three turns in a row reached your output limit before a call was complete. No more tools can be called.",
  loop: "The same calls were repeated with the same results. No more tools can be called.",
};

const SUM_UP =
  "Summarize for the user in a few sentences what was done and found, and what is still open. Do not call a tool.";
