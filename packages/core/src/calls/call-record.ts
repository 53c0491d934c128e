import { ToolError } from "../error/tool-error.js";
import type { ToolResult } from "../result/tool-result.js";
import type { CallOptions } from "../runtime/tool-runtime.js";
import type { ShownFile } from "../tool/tool-definition.js";
import { failedResult } from "./failed-result.js";

/** Identifies a call. Tenants never see each other's calls, whatever ids they choose. */
export interface CallKey {
  readonly tenant: string;
  readonly callId: string;
}

/** Identifies a workspace. */
export interface WorkspaceKey {
  readonly tenant: string;
  readonly workspace: string;
}

/** A call as a client submits it. All of it is JSON. */
export interface NewCall extends CallKey, WorkspaceKey {
  /** "explain" returns how the call would be decided, and changes nothing. Default: "call". */
  readonly kind?: "call" | "explain";
  readonly tool: string;
  readonly args?: unknown;
  readonly options?: QueuedOptions;
  /** Who submitted the call. */
  readonly principal: string;
  /** The session whose calls share read-before-write state. */
  readonly session: string;
  /** How long the call may stay in the queue before it fails with WORKSPACE_UNAVAILABLE. Default: forever. */
  readonly maxQueuedMs?: number;
  /** Trace context of the caller, such as `traceparent`. */
  readonly trace?: Readonly<Record<string, string>>;
}

/** The options of a call that can be stored. */
export type QueuedOptions = Pick<CallOptions, "timeoutMs" | "dryRun" | "terminate" | "alreadySeen">;

/**
 * `queued → preparing → (awaiting_approval → queued) → running → settled`. Preparing has no effect and may be repeated;
 * `running` is stored before the first effect.
 */
export type CallState = "queued" | "preparing" | "awaiting_approval" | "running" | "settled";

/** "unknown": the call had started when its worker was lost, so its effects are not known. */
export type CallOutcome = "ok" | "error" | "denied" | "cancelled" | "unknown";

export interface CallSettlement {
  readonly outcome: CallOutcome;
  /** The reason, if the store settled the call without a result. */
  readonly code?: "UNKNOWN_OUTCOME" | "CANCELLED" | "WORKSPACE_UNAVAILABLE" | "WORKER_LOST";
  /** The call's return value: a tool result, or the requested explanation. */
  readonly result?: unknown;
  /** Files whose content the call has shown. */
  readonly shown?: readonly ShownFile[];
}

/** A call as the store keeps it. */
export interface CallRecord extends NewCall {
  readonly state: CallState;
  /** Increases with every change of the record. */
  readonly version: number;
  /** Starts at 1 and increases each time a worker was lost and the call went back to the queue. */
  readonly attempt: number;
  /** The worker that claimed it, and the epoch of its lease. */
  readonly worker?: string;
  readonly epoch?: number;
  /** The tool is idempotent, so the call may run again after its worker was lost. */
  readonly isRepeatable?: boolean;
  readonly approvalId?: string;
  /** Who requested the cancellation. */
  readonly cancelledBy?: string;
  readonly settlement?: CallSettlement;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly submittedAtMs: number;
  readonly startedAtMs?: number;
  readonly settledAtMs?: number;
}

/** Returns the result of a settled call, even if the store itself settled it. */
export function resultOf(call: CallRecord): ToolResult {
  const { settlement, tool } = call;
  if (settlement?.result !== undefined) return settlement.result as ToolResult;
  const code = settlement?.code ?? "UNKNOWN_OUTCOME";
  // An attempt that was lost may have started, or this one had: the call is repeatable, so it was not settled
  // "unknown".
  const mayHaveRun = call.attempt > 1 || call.startedAtMs !== undefined;
  const { message, hint } = (mayHaveRun ? REASONS_AFTER_LOSS : REASONS)[code];
  const durationMs = (call.settledAtMs ?? call.submittedAtMs) - call.submittedAtMs;
  return failedResult(call, new ToolError(code, `${tool} ${message}`, { hint }), durationMs);
}

type Reasons = Record<
  NonNullable<CallSettlement["code"]>,
  { readonly message: string; readonly hint: string }
>;

const REASONS = {
  UNKNOWN_OUTCOME: {
    message: "had started when its worker was lost; whether it finished is not known",
    hint: "It was not repeated. Check its effects before you repeat it.",
  },
  CANCELLED: { message: "was cancelled before it started", hint: "Nothing was done." },
  WORKSPACE_UNAVAILABLE: {
    message: "waited too long: no worker serves the workspace",
    hint: "Nothing was done. Start a worker for this workspace, then make the call again.",
  },
  WORKER_LOST: {
    message: "lost its worker three times before it started",
    hint: "Nothing was done. The call may itself end the worker: ask for less, or read the worker's log.",
  },
} as const satisfies Reasons;

const CHECK = "An earlier attempt may have had its effect. Check that before you repeat it.";

const REASONS_AFTER_LOSS = {
  UNKNOWN_OUTCOME: REASONS.UNKNOWN_OUTCOME,
  CANCELLED: { message: "was cancelled after it had lost its worker", hint: CHECK },
  WORKSPACE_UNAVAILABLE: {
    message: "lost its worker, and no other one served the workspace in time",
    hint: CHECK,
  },
  WORKER_LOST: {
    message: "lost its worker three times",
    hint: `${CHECK} The call may itself end the worker: ask for less, or read the worker's log.`,
  },
} as const satisfies Reasons;
