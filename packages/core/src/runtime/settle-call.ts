import { ToolError } from "../error/tool-error.js";
import { boundText } from "../result/bound-text.js";
import type { ErrorInfo, ToolFailure, ToolSuccess } from "../result/tool-result.js";
import { describeChange } from "../workspace/describe-change.js";
import type { Kernel } from "./kernel.js";
import type { Outcome } from "./perform-call.js";

/** The frame that a result has, whatever came of the call. */
export interface Settlement {
  readonly tool: string;
  readonly callId: string;
  readonly terminate: boolean;
  readonly startedAt: number;
}

export function settleSuccess(kernel: Kernel, outcome: Outcome, settlement: Settlement): ToolSuccess {
  const { call, value, isPreview } = outcome;
  const { definition } = call.registered;
  const changes = outcome.changes.map(describeChange);
  const rendered = definition.render?.(value as never, {
    args: call.args as never,
    changes,
    preview: isPreview,
    showPath: showPath(kernel),
  });
  const warnings = call.warnings.map((warning) => `Note: ${warning}`);
  const maxTokens = Math.min(definition.maxTokens ?? kernel.limits.maxTokens, kernel.limits.maxTokens);
  const text = boundText(
    kernel.redact([rendered ?? JSON.stringify(value), ...warnings].join("\n")),
    maxTokens,
  );
  return {
    ok: true,
    ...frame(settlement),
    value: kernel.redact(value),
    text,
    content: [{ type: "text", text }, ...call.images],
    changes: kernel.redact(changes),
    warnings: kernel.redact(call.warnings),
    preview: isPreview,
  };
}

/** Any failure as a value. What was not thrown on purpose keeps its message, never its stack. */
export function settleFailure(kernel: Kernel, thrown: unknown, settlement: Settlement): ToolFailure {
  const error = kernel.redact(errorInfo(thrown));
  return {
    ok: false,
    ...frame(settlement),
    error,
    text: boundText(errorText(error), kernel.limits.maxTokens),
    warnings: [],
  };
}

function errorInfo(thrown: unknown): ErrorInfo {
  if (!ToolError.is(thrown)) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return {
      code: "EXECUTION_ERROR",
      message: message === "" ? "The tool failed without saying why" : message,
    };
  }
  const { code, message, hint, details, next } = thrown;
  return {
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
    ...(next === undefined ? {} : { next }),
  };
}

function errorText({ code, message, hint, next }: ErrorInfo): string {
  const lines = [`${code}: ${message}`];
  if (hint !== undefined) lines.push(hint);
  if (next !== undefined) lines.push(`Next: ${next.tool} ${JSON.stringify(next.args)}`);
  return lines.join("\n");
}

function frame({ tool, callId, terminate, startedAt }: Settlement) {
  const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
  return { tool, callId, durationMs, terminate };
}

function showPath(kernel: Kernel): (path: string) => string {
  return kernel.dialect.paths === "absolute"
    ? (path) => kernel.workspace.absolute(path)
    : (path) => (path === "" ? "." : path);
}
