import type { ErrorInfo, ToolResult } from "@haft/core";
import type { KnownError } from "./report-error.js";

/** A result as the outside knows it: the documented keys, in their order, then what else there is to say. */
export function resultJson(result: ToolResult): object {
  const { ok, tool, callId, text, durationMs } = result;
  if (!result.ok) return { ok, tool, callId, error: errorJson(result.error), text, durationMs };
  const { value, changes, warnings, preview } = result;
  return {
    ok,
    tool,
    callId,
    value,
    text,
    changes,
    warnings,
    durationMs,
    ...(preview ? { preview } : {}),
  };
}

/** The same for a call that could not even be made: no runtime, no tool. */
export function refusedJson(tool: string, error: KnownError): object {
  const { code, message, hint } = error;
  const text = [`${code}: ${message}`, ...(hint === undefined ? [] : [hint])].join("\n");
  return { ok: false, tool, callId: crypto.randomUUID(), error, text, durationMs: 0 };
}

function errorJson({ code, message, hint, details, next }: ErrorInfo): object {
  return { code, message, hint, details, next };
}
