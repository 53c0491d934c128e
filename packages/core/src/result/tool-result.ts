import type { NextCall } from "../error/tool-error.js";
import type { ChangeSummary } from "../workspace/describe-change.js";
import type { Content } from "./content.js";

/** The outcome of a call. Failures are values; callers of the runtime need no try/catch. */
export type ToolResult<T = unknown> = ToolSuccess<T> | ToolFailure;

export interface ToolSuccess<T = unknown> extends ResultFrame {
  readonly ok: true;
  /** Validated against the output schema, never truncated. */
  readonly value: T;
  readonly content: readonly Content[];
  readonly changes: readonly ChangeSummary[];
  /** True if no changes were applied: a dry run or a preview. */
  readonly preview: boolean;
}

export interface ToolFailure extends ResultFrame {
  readonly ok: false;
  readonly error: ErrorInfo;
}

export interface ErrorInfo {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly next?: NextCall;
}

interface ResultFrame {
  readonly tool: string;
  readonly callId: string;
  /** The text for the model, within the budget. */
  readonly text: string;
  readonly warnings: readonly string[];
  readonly durationMs: number;
  /** The caller's `terminate` option, returned with the result. */
  readonly terminate: boolean;
}
