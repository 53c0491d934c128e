import { messageOf, ToolError } from "../error/tool-error.js";
import type { ToolFailure } from "../result/tool-result.js";
import type { NewCall } from "./call-record.js";

/**
 * The result of a call that failed outside of a runtime: it could not be stored, or its runtime could not be opened.
 */
export function failedResult(
  { tool, callId, options }: Pick<NewCall, "tool" | "callId" | "options">,
  cause: unknown,
  durationMs = 0,
): ToolFailure {
  const { code, hint, details } = ToolError.is(cause)
    ? cause
    : { code: "EXECUTION_ERROR", hint: undefined, details: undefined };
  const message = messageOf(cause);
  return {
    ok: false,
    tool,
    callId,
    error: { code, message, ...(hint !== undefined && { hint }), ...(details !== undefined && { details }) },
    text: [`${code}: ${message}`, ...(hint === undefined ? [] : [hint])].join("\n"),
    warnings: [],
    durationMs,
    terminate: options?.terminate ?? false,
  };
}
