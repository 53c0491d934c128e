import type { EndReason, RunState, RunStatus } from "@haft/agent";
import type { RunSummary } from "../../src/protocol.js";
import type { CallLook } from "../state/call-view.js";

const ENDS: Readonly<
  Record<EndReason, { readonly look: Exclude<CallLook, "proposed">; readonly words: string }>
> = {
  end_turn: { look: "ok", words: "Done" },
  terminated: { look: "ok", words: "Done" },
  max_steps: { look: "failed", words: "Step limit" },
  max_cost: { look: "failed", words: "Cost limit" },
  max_tokens: { look: "failed", words: "Token limit" },
  invalid_args: { look: "failed", words: "Invalid calls" },
  output_limit: { look: "failed", words: "Output limit" },
  loop: { look: "failed", words: "Went in circles" },
  cancelled: { look: "denied", words: "Stopped" },
  aborted: { look: "denied", words: "Denied and stopped" },
  deadline: { look: "failed", words: "Time limit" },
  error: { look: "failed", words: "Failed" },
};

/** A run that waits for approval shows that, even while its other calls run. */
export function statusOf({ status, calls }: Pick<RunState, "status" | "calls">): RunStatus {
  return calls.some((call) => call.status === "awaiting") ? "waiting" : status;
}

export function statusIn({ status, waiting }: Pick<RunSummary, "status" | "waiting">): RunStatus {
  return waiting > 0 ? "waiting" : status;
}

export function runLook(status: RunStatus, reason: EndReason | undefined): Exclude<CallLook, "proposed"> {
  if (reason !== undefined && status === "done") return ENDS[reason].look;
  return status === "waiting" ? "waiting" : "running";
}

export function runWords(status: RunStatus, reason: EndReason | undefined): string {
  if (reason !== undefined && status === "done") return ENDS[reason].words;
  if (status === "waiting") return "Waits for you";
  return status === "thinking" ? "Thinking" : "Running";
}
