import type {
  ApprovalAnswer,
  ApprovalRequest,
  ChangeSummary,
  Content,
  ErrorInfo,
  Progress,
} from "@haft/core";
import type { RunLimits } from "./limits.js";
import type { ProposedCall } from "./proposed-call.js";

/** On disk before anybody hears of it; `seq` has no gaps within a run. The state is a fold over these. */
export type DurableEvent = Envelope & DurableBody;

/** Told as it happens and never replayed; `seq` is that of the last durable event. */
export type EphemeralEvent = Envelope & EphemeralBody;

export type RunEvent = DurableEvent | EphemeralEvent;

export interface Envelope {
  readonly v: 1;
  readonly runId: string;
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
}

export type DurableBody =
  | RunStarted
  | { readonly type: "run.resumed" }
  | { readonly type: "message.user"; readonly id: string; readonly text: string }
  | StepEnded
  | StepFailed
  | ApprovalRequested
  | ApprovalDecided
  | { readonly type: "call.started"; readonly callId: string; readonly attempt: number }
  | CallSettled
  | { readonly type: "context.compacted"; readonly cleared: readonly string[] }
  | RunCancelled
  | RunEnded;

export type EphemeralBody =
  | { readonly type: "step.started"; readonly step: number; readonly attempt: number }
  | { readonly type: "text.delta"; readonly step: number; readonly delta: string }
  | { readonly type: "reasoning.delta"; readonly step: number; readonly delta: string }
  | { readonly type: "args.delta"; readonly callId: string; readonly tool: string; readonly delta: string }
  | { readonly type: "call.progress"; readonly callId: string; readonly progress: Progress };

export interface RunStarted {
  readonly type: "run.started";
  readonly role: string;
  readonly workspace: string;
  readonly tools: readonly string[];
  readonly limits: RunLimits;
  readonly summary: SummaryMode;
}

/** Whether a run that ends early gets one last turn, without tools, to sum up. */
export type SummaryMode = "turn" | "none";

export interface StepEnded {
  readonly type: "step.ended";
  readonly step: number;
  /** The last event the model had heard of; what a user said later is still to be answered. */
  readonly heardSeq: number;
  readonly text: string;
  readonly reasoning?: string;
  readonly calls: readonly ProposedCall[];
  readonly finish: FinishReason;
  readonly usage?: Usage;
  /** How many calls the closing turn made although it had no tools; they are not made. */
  readonly ignoredCalls?: number;
}

export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter";

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface StepFailed {
  readonly type: "step.failed";
  readonly step: number;
  readonly attempt: number;
  readonly error: ErrorInfo;
  /** Whether trying again could help. */
  readonly retryable: boolean;
  /** Whether that is done: not after the last attempt. */
  readonly willRetry: boolean;
  /** When the server said how long to wait. */
  readonly retryAfterMs?: number;
}

export interface ApprovalRequested {
  readonly type: "approval.requested";
  readonly callId: string;
  readonly approval: ApprovalRequest;
}

export interface ApprovalDecided {
  readonly type: "approval.decided";
  readonly callId: string;
  readonly approvalId: string;
  readonly by: string;
  readonly answer: ApprovalAnswer;
}

export interface CallSettled {
  readonly type: "call.settled";
  readonly callId: string;
  readonly outcome: CallOutcome;
  readonly code?: string;
  /** What the model reads, already bounded. */
  readonly model: readonly Content[];
  /** What happened to files: what a file browser or an open editor needs to know. */
  readonly effects: readonly ChangeSummary[];
  readonly ms: number;
  readonly terminate: boolean;
  /** Files whose content the model has now seen, for whoever takes the run up after a restart. */
  readonly seen?: readonly { readonly path: string; readonly hash: string }[];
}

export type CallOutcome = "ok" | "error" | "denied" | "cancelled" | "unknown";

export interface RunCancelled {
  readonly type: "run.cancelled";
  readonly by: string;
  readonly why: StopReason;
  readonly reason?: string;
}

export type StopReason = "cancelled" | "aborted" | "deadline";

export interface RunEnded {
  readonly type: "run.ended";
  readonly reason: EndReason;
  /** The model's last words. */
  readonly summary: string;
  readonly error?: ErrorInfo;
}

/** Why one last turn is taken, and then why the run ended. */
export type FinalReason = "terminated" | "max_steps" | "invalid_args" | "loop";

export type EndReason = "end_turn" | FinalReason | StopReason | "error";
