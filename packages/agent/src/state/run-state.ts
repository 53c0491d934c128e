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
} from "../event/run-event.js";
import type { MadeCall } from "../guard/repeated-cycle.js";

/** Where a run stands; a fold over its durable events and nothing else, so it is the same after a restart. */
export interface RunState {
  readonly status: RunStatus;
  readonly runId: string;
  readonly lastSeq: number;
  readonly limits: RunLimits;
  readonly summary: SummaryMode;
  /** Model turns that have ended. */
  readonly step: number;
  /** Failed attempts at the turn that is due. */
  readonly failures: number;
  /** How long the server asked to be left alone after the last of them. */
  readonly retryAfterMs?: number;
  /** The calls of the last turn, in the model's order. */
  readonly calls: readonly CallState[];
  /** Set when the next turn is the last one. */
  readonly final?: FinalReason;
  /** Set when nothing is left to be done but to say so. */
  readonly ending?: Ending;
  /** Set when somebody or the clock stopped the run. */
  readonly stop?: RunCancelled;
  /** The newest thing a user said. */
  readonly userSeq: number;
  /** What the model said last. */
  readonly text: string;
  /** Turns in a row whose calls were all refused for their arguments. */
  readonly invalidSteps: number;
  /** The last calls and what came of them, for the guard against going round in circles. */
  readonly history: readonly MadeCall[];
  /** How much each result weighs that is still shown to the model, oldest first. */
  readonly results: readonly ResultWeight[];
  /** Time spent thinking and acting until `lastAt`. */
  readonly activeMs: number;
  readonly lastAt: string;
  /** Files the model has seen, by path, at which content. */
  readonly seen: Readonly<Record<string, string>>;
  readonly ended?: RunEnded;
}

/** "waiting": every open call waits for a person, and the process may go. */
export type RunStatus = "idle" | "thinking" | "acting" | "waiting" | "done";

export interface Ending {
  readonly reason: EndReason;
  readonly error?: ErrorInfo;
}

export interface CallState extends ProposedCall {
  readonly status: CallStatus;
  /** How often it has begun. */
  readonly attempts: number;
  /** What was asked about it last. */
  readonly approval?: ApprovalRequest;
  /** A person said yes to that very plan. */
  readonly isAllowed?: boolean;
  /** What a person said who refused it. */
  readonly feedback?: string;
  readonly outcome?: CallOutcome;
  readonly code?: string;
  /** What was made of it before, when it would go round in a circle: it is not made again. */
  readonly repeats?: string;
  /** What it came to, in short; set when it is settled. */
  readonly made?: MadeCall;
}

/**
 * proposed: to be made. awaiting: a person is asked. allowed, refused: answered, the runtime has not
 * said more. denied: refused before a restart. running: it may have had its effect. lost: it was running
 * when its process died.
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
  failures: 0,
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
