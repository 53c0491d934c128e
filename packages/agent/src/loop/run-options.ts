import type { ApprovalRequest, ErrorInfo } from "@haft/core";
import type { RunLimits } from "../event/limits.js";
import type { DurableEvent, EndReason, RunEvent, SummaryMode } from "../event/run-event.js";
import type { RunJournal } from "../journal/run-journal.js";
import type { ModelClient } from "../model/model-client.js";
import type { RunState } from "../state/run-state.js";
import type { AgentRuntime, RunAnswer } from "./agent-runtime.js";

export interface RunOptions {
  readonly runtime: AgentRuntime;
  readonly model: ModelClient;
  /** What the user wants. Left out only to take up a run that has one; given then as well, it is said next. */
  readonly task?: string;
  /** The system prompt. Default: the categorised prompt of the runtime's tools. */
  readonly system?: string;
  /** Where the run is kept. With events in it, the run is taken up where it stopped. Default: memory. */
  readonly journal?: RunJournal;
  /** For a new run; one that is taken up keeps its own. */
  readonly limits?: Partial<RunLimits>;
  /** "none" ends a run that is over without a last turn to sum up. Default: "turn". */
  readonly summary?: SummaryMode;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** Told of every event from now on, in order. What it throws disturbs nobody. */
  readonly onEvent?: (event: RunEvent) => void;
  /** The first pause before a failed turn is tried again; it doubles. Default: 500. */
  readonly retryDelayMs?: number;
}

export interface RunHandle {
  readonly runId: string;
  readonly state: RunState;
  /** All durable events so far. */
  readonly log: readonly DurableEvent[];
  /** The durable events after `afterSeq` (default: all), then everything as it happens, until the run is over. */
  events(afterSeq?: number): AsyncIterable<RunEvent>;
  /** What waits for a person now. */
  pending(): readonly ApprovalRequest[];
  /** Answers an approval through the runtime. Rejects with what the runtime says, such as ALREADY_DECIDED. */
  decide(approvalId: string, answer: RunDecision, by?: string): Promise<void>;
  /** Says something to the model; it hears it with its next turn. Throws when the run is over. */
  say(text: string): void;
  /** Stops the run: calls under way are cancelled, and it ends when they are settled. */
  cancel(reason?: string, by?: string): void;
  /**
   * Lets go without ending the run, to take it up later from its journal with a runtime of its own. Calls
   * under way are stopped: best while the run waits for people.
   */
  detach(): void;
  /** Never rejects, and never stays open once nothing is under way. */
  readonly done: Promise<RunOutcome>;
}

export interface RunDecision extends RunAnswer {
  /** With a denial: stop the whole run as well. */
  readonly abort?: boolean;
}

export interface RunOutcome {
  readonly runId: string;
  /** "detached": the run is not over. */
  readonly reason: EndReason | "detached";
  /** The model's last words. */
  readonly summary: string;
  readonly steps: number;
  readonly error?: ErrorInfo;
}
