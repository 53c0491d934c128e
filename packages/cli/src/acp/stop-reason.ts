import type { StopReason } from "@agentclientprotocol/sdk";
import type { RunOutcome } from "@haft/agent";

/** Outcomes that are not announced with a message. */
export const SILENT_OUTCOMES: ReadonlySet<RunOutcome["reason"]> = new Set([
  "end_turn",
  "terminated",
  "cancelled",
  "aborted",
  "detached",
  "error",
]);

/** Returns why a turn ended, in the terms of the Agent Client Protocol. */
export function stopReason({ reason }: RunOutcome): StopReason {
  if (reason === "end_turn" || reason === "terminated") return "end_turn";
  if (reason === "cancelled" || reason === "aborted" || reason === "detached") return "cancelled";
  return reason === "max_tokens" ? "max_tokens" : "max_turn_requests";
}
