import type {
  ApprovalAnswer,
  ApprovalRequest,
  ChangeSummary,
  Content,
  ErrorInfo,
  ImageContent,
  Progress,
} from "@haft/core";
import type { RunLimits } from "./limits.js";
import type { ProposedCall } from "./proposed-call.js";

/** Stored before listeners are notified. `seq` has no gaps within a run, and the state is a fold over these events. */
export type DurableEvent = Envelope & DurableBody;

/** Emitted once and never replayed. `seq` is that of the last durable event. */
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
  | RunReopened
  | MessageUser
  | StepEnded
  | StepFailed
  | ApprovalRequested
  | ApprovalDecided
  | { readonly type: "call.started"; readonly callId: string; readonly attempt: number }
  | CallSettled
  | { readonly type: "compaction.requested"; readonly by: string }
  | ContextCompacted
  | RunCancelled
  | RunEnded;

export type EphemeralBody =
  | { readonly type: "step.started"; readonly step: number; readonly attempt: number }
  /** The turn failed and is retried after this time. */
  | { readonly type: "retry.waiting"; readonly step: number; readonly attempt: number; readonly ms: number }
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

export interface MessageUser {
  readonly type: "message.user";
  readonly id: string;
  /** The user's text. */
  readonly text: string;
  /** Sent to the model above the text, such as the user's actions meanwhile. Not shown on a screen. */
  readonly note?: string;
  /** Images sent with the text. */
  readonly images?: readonly ImageContent[];
}

/** Continues a run that had ended. Resets steps and active time; the given limits replace the old ones. */
export interface RunReopened {
  readonly type: "run.reopened";
  readonly limits?: Partial<RunLimits>;
}

/** Reduces what later turns send to the model. The events themselves stay. */
export interface ContextCompacted {
  readonly type: "context.compacted";
  /** Calls whose results are no longer sent. */
  readonly cleared: readonly string[];
  /** Replaces the conversation up to `upToSeq`. */
  readonly summary?: string;
  readonly upToSeq?: number;
  /** Tokens used to write the summary. */
  readonly usage?: Usage;
}

/** Whether a run that ends early gets a last turn, without tools, to summarize. */
export type SummaryMode = "turn" | "none";

export interface StepEnded {
  readonly type: "step.ended";
  readonly step: number;
  /** The last event included in the request. Later user messages are still unanswered. */
  readonly heardSeq: number;
  readonly text: string;
  readonly reasoning?: string;
  readonly calls: readonly ProposedCall[];
  readonly finish: FinishReason;
  readonly usage?: Usage;
  /** Calls proposed by the closing turn, which are not executed. */
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
  /** Whether a retry could help. */
  readonly retryable: boolean;
  /** Whether the turn will be retried; false after the last attempt. */
  readonly willRetry: boolean;
  /** The wait requested by the server. */
  readonly retryAfterMs?: number;
  /** Tokens used by the attempt, if reported before it failed. */
  readonly usage?: Usage;
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
  /** The content sent to the model, already truncated. */
  readonly model: readonly Content[];
  /** File changes, for file browsers and open editors. */
  readonly effects: readonly ChangeSummary[];
  /** Exit code of a finished command. The call can succeed although the command failed. */
  readonly exitCode?: number;
  /** The end of the output, if it contained colours. Never sent to the model. */
  readonly printed?: string;
  readonly ms: number;
  readonly terminate: boolean;
  /** Tools offered to the model from now on. */
  readonly offers?: readonly string[];
  /** Files whose content the model has now seen, for resuming after a restart. */
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
  /** The model's last message. */
  readonly summary: string;
  readonly error?: ErrorInfo;
}

/** Why the closing turn was taken, and then why the run ended. */
export type FinalReason =
  | "terminated"
  | "max_steps"
  | "max_tokens"
  | "max_cost"
  | "invalid_args"
  | "output_limit"
  | "loop";

export type EndReason = "end_turn" | FinalReason | StopReason | "error";
