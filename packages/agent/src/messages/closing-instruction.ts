import type { FinalReason } from "../event/run-event.js";

/** What the last turn is asked for. */
export function closingInstruction(final: FinalReason): string {
  return `${WHY[final]} ${SUM_UP}`;
}

const WHY: Readonly<Record<FinalReason, string>> = {
  terminated: "The work is done.",
  max_steps: "This run has used all its steps. No more tools can be called.",
  invalid_args:
    "Three turns in a row made only calls whose arguments were refused. No more tools can be called.",
  loop: "The same calls were repeated with the same results. No more tools can be called.",
};

const SUM_UP =
  "Sum up for the user in a few sentences what was done and found, and what is still open. Do not call a tool.";
