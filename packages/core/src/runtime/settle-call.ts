import { messageOf, ToolError } from "../error/tool-error.js";
import { boundDiffs } from "../result/bound-diffs.js";
import { boundText } from "../result/bound-text.js";
import type { ErrorInfo, ToolFailure, ToolSuccess } from "../result/tool-result.js";
import { type ChangeSummary, describeChange } from "../workspace/describe-change.js";
import type { Outcome } from "./call-effects.js";
import type { Kernel } from "./kernel.js";
import { NOTHING_CHANGED, previewText } from "./preview-text.js";

/** The common part of every result, successful or not. */
export interface Settlement {
  readonly tool: string;
  readonly callId: string;
  readonly terminate: boolean;
  readonly startedAt: number;
  /** Warnings that a failed call issued before it failed. */
  readonly warnings?: readonly string[] | undefined;
}

export function settleSuccess(kernel: Kernel, outcome: Outcome, settlement: Settlement): ToolSuccess {
  const { call, value, isPreview } = outcome;
  const { definition } = call.registered;
  const changes = outcome.changes.map(describeChange);
  const rendered = renderedText(kernel, outcome, changes);
  const shown = isPreview ? previewText(rendered, changes) : rendered;
  const warnings = [...call.warnings];
  const maxTokens = Math.min(definition.maxTokens ?? kernel.limits.maxTokens, kernel.limits.maxTokens);
  const bounded = boundText(kernel.redact([shown, ...notes(warnings)].join("\n")), maxTokens);
  const text = isPreview ? `${bounded}\n${NOTHING_CHANGED}` : bounded;
  return {
    ok: true,
    ...frame(settlement),
    value: kernel.redact(value),
    text,
    content: [{ type: "text", text }, ...call.images],
    changes: kernel.redact(isPreview ? changes : boundDiffs(changes)),
    warnings: kernel.redact(warnings),
    preview: isPreview,
  };
}

/** Never throws: the call has had its effect, and a model that sees a failure repeats it. */
function renderedText(kernel: Kernel, outcome: Outcome, changes: readonly ChangeSummary[]): string {
  const { call, value, isPreview } = outcome;
  const { definition } = call.registered;
  try {
    const facts = { args: call.parsed as never, changes, preview: isPreview, showPath: showPath(kernel) };
    return String(definition.render?.(value as never, facts) ?? defaultText(value, changes));
  } catch (cause) {
    call.warnings.push(`the result could not be rendered: ${messageOf(cause)}`);
    return JSON.stringify(asJson(value)) ?? "";
  }
}

/** Returns the text for a tool without `render`: its value, or its changes if it returns none. */
function defaultText(value: unknown, changes: readonly ChangeSummary[]): string {
  if (value !== undefined) return JSON.stringify(value);
  const told = changes.map(
    ({ kind, path, from }) => `${PAST[kind]} ${from === undefined ? "" : `${from} to `}${path}.`,
  );
  return ["Done.", ...told].join(" ");
}

const PAST: Record<ChangeSummary["kind"], string> = {
  create: "Created",
  modify: "Modified",
  delete: "Deleted",
  move: "Moved",
};

/** Converts any failure to a result. Unexpected errors keep their message, never their stack. */
export function settleFailure(kernel: Kernel, thrown: unknown, settlement: Settlement): ToolFailure {
  const error = kernel.redact(errorInfo(kernel, thrown));
  const warnings = kernel.redact([...(settlement.warnings ?? [])]);
  const text = [errorText(error), ...notes(warnings)].join("\n");
  return {
    ok: false,
    ...frame(settlement),
    error,
    text: boundText(text, kernel.limits.maxTokens),
    warnings,
  };
}

function errorInfo({ registry }: Kernel, thrown: unknown): ErrorInfo {
  if (!ToolError.is(thrown))
    return { code: "EXECUTION_ERROR", message: messageOf(thrown) || "The tool failed without saying why" };
  const { message } = thrown;
  // Codes are printed and compared as they are, and those of a pack are its own.
  const code = CODE.test(thrown.code) ? thrown.code : "EXECUTION_ERROR";
  const hint = thrown.hint && registry.resolveHint(thrown.hint);
  const details = asJson(thrown.details) as ErrorInfo["details"];
  const proposed = asJson(thrown.next) as ErrorInfo["next"];
  const next = proposed === undefined ? undefined : registry.spellCall(proposed);
  return {
    code,
    message,
    ...(hint ? { hint } : {}),
    ...(details === undefined ? {} : { details }),
    ...(next === undefined ? {} : { next }),
  };
}

const CODE = /^[A-Za-z][\w.:-]{0,99}$/;

/** Returns a copy that can be serialised; undefined for a value that is not JSON. */
function asJson(value: unknown): unknown {
  try {
    return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

function notes(warnings: readonly string[]): readonly string[] {
  return warnings.map((warning) => `Note: ${warning}`);
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
