import type { NextCall } from "../error/tool-error.js";
import type { ChangeSummary } from "../workspace/describe-change.js";
import type { Content } from "./content.js";

/** What a call came to. Failures are values here; nothing outside the runtime has to catch. */
export type ToolResult<T = unknown> = ToolSuccess<T> | ToolFailure;

export interface ToolSuccess<T = unknown> extends ResultFrame {
  readonly ok: true;
  /** Validated against the output schema, never truncated. */
  readonly value: T;
  readonly content: readonly Content[];
  readonly changes: readonly ChangeSummary[];
  /** True when nothing was applied: a dry run or a preview. */
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
  /** What the model reads, within the budget. */
  readonly text: string;
  readonly warnings: readonly string[];
  readonly durationMs: number;
  /** What the caller said about ending the loop, carried with the call. */
  readonly terminate: boolean;
}
