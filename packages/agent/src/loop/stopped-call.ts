import { ToolError } from "@haft/core";

/** The result that the model receives for a call that a person stopped. */
export function stoppedBy(who: string): ToolError {
  return new ToolError("CANCELLED", `${who === "user" ? "The user" : who} stopped this call`, {
    hint: "The run goes on. Continue without its result, or ask what to do instead; do not repeat it unchanged.",
  });
}

export function notRunning(callId: string): ToolError {
  return new ToolError("CALL_NOT_RUNNING", `${callId} is not running`, {
    hint: "It may have ended just now. Look at its result.",
  });
}
