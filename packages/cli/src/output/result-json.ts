import type { ErrorInfo, ToolResult } from "@haft/core";
import type { KnownError } from "./report-error.js";

/** Returns the documented keys of a result, in their documented order. */
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

/** Returns the same shape for a call that could not be executed. */
export function refusedJson(tool: string, error: KnownError): object {
  const { code, message, hint } = error;
  const text = [`${code}: ${message}`, ...(hint === undefined ? [] : [hint])].join("\n");
  return { ok: false, tool, callId: crypto.randomUUID(), error, text, durationMs: 0 };
}

function errorJson({ code, message, hint, details, next }: ErrorInfo): object {
  return { code, message, hint, details, next };
}
