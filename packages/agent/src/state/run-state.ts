import type { ApprovalRequest, ErrorInfo } from "@haft/core";
import { DEFAULT_LIMITS, type RunLimits } from "../event/limits.js";
import type { ProposedCall } from "../event/proposed-call.js";
import type {
  CallOutcome,
  EndReason,
  FinalReason,
  RunCancelled,
  RunEnded,
  SummaryMode,
  Usage,
} from "../event/run-event.js";
import type { MadeCall } from "../guard/repeated-cycle.js";

/** The state of a run: a fold over its durable events only, so it is the same after a restart. */
export interface RunState {
  readonly status: RunStatus;
  readonly runId: string;
  readonly lastSeq: number;
  readonly limits: RunLimits;
  readonly summary: SummaryMode;
  /** Completed model turns. */
  readonly step: number;
  /** The step at which the run was last opened; the step limit counts from there. */
  readonly openedAtStep: number;
  /** Tokens of all turns since then. */
  readonly used: Usage;
  /** Set if the conversation must be compacted before the next turn. */
  readonly compaction?: CompactionStage;
  /** The step at which the conversation was last summarized. */
  readonly summarizedAtStep?: number;
  /** Failed attempts at the current turn. */
  readonly failures: number;
  /** How many of the last failures in a row were unusable answers. */
  readonly unusable: number;
  /** When the first failure occurred. */
  readonly failingSince?: string;
  /** The delay the server requested with the last failure. */
  readonly retryAfterMs?: number;
  /** The calls of the last turn, in the model's order. */
  readonly calls: readonly CallState[];
  /** Set if the next turn is the last one. */
  readonly final?: FinalReason;
  /** Set if the run only needs to be ended. */
  readonly ending?: Ending;
  /** Set if a person or the clock stopped the run. */
  readonly stop?: RunCancelled;
  /** Sequence number of the newest user message. */
  readonly userSeq: number;
  /** The model's last message. */
  readonly text: string;
  /** Consecutive turns in which every call had invalid arguments. */
  readonly invalidSteps: number;
  /** The last calls and their results, for loop detection. */
  readonly history: readonly MadeCall[];
  /** Estimated size of each result still sent to the model, oldest first. */
  readonly results: readonly ResultWeight[];
  /** Time spent on turns and calls until `lastAt`. */
  readonly activeMs: number;
  readonly lastAt: string;
  /** Content hashes of files the model has seen, by path. */
  readonly seen: Readonly<Record<string, string>>;
  readonly ended?: RunEnded;
}

/** "waiting": every open call waits for approval, and the process may exit. */
export type RunStatus = "idle" | "thinking" | "acting" | "waiting" | "done";

/** "clear" drops old results first; "summarize" replaces the conversation. */
export type CompactionStage = "clear" | "summarize";

export interface Ending {
  readonly reason: EndReason;
  readonly error?: ErrorInfo;
}

export interface CallState extends ProposedCall {
  readonly status: CallStatus;
  /** How often it has started. */
  readonly attempts: number;
  /** The last approval request. */
  readonly approval?: ApprovalRequest;
  /** Whether a person approved exactly that plan. */
  readonly isAllowed?: boolean;
  /** The person's feedback to a refusal. */
  readonly feedback?: string;
  readonly outcome?: CallOutcome;
  readonly code?: string;
  /** Fingerprint of the earlier call it repeats. It would continue a loop, so it is not executed. */
  readonly repeats?: string;
  /** Fingerprint of call and result, set when settled. */
  readonly made?: MadeCall;
}

/**
 * proposed: not started. awaiting: waiting for approval. allowed, refused: answered, no further event yet. denied:
 * refused before a restart. running: may have had its effect. lost: running when its process died.
 */
export type CallStatus =
  | "proposed"
  | "awaiting"
  | "allowed"
  | "refused"
  | "denied"
  | "running"
  | "lost"
  | "settled";

export interface ResultWeight {
  readonly callId: string;
  readonly tokens: number;
}

export function isOpen(call: CallState): boolean {
  return call.status !== "settled";
}

export const INITIAL_STATE: RunState = {
  status: "idle",
  runId: "",
  lastSeq: 0,
  limits: DEFAULT_LIMITS,
  summary: "turn",
  step: 0,
  openedAtStep: 0,
  used: { inputTokens: 0, outputTokens: 0 },
  failures: 0,
  unusable: 0,
  calls: [],
  userSeq: 0,
  text: "",
  invalidSteps: 0,
  history: [],
  results: [],
  activeMs: 0,
  lastAt: "",
  seen: {},
};
