import type { ApprovalAnswer, ApprovalRequest, ErrorInfo, ImageContent } from "@haft/core";
import type { PromptStyle } from "@haft/prompt-formatter";
import type { RunLimits } from "../event/limits.js";
import type { DurableEvent, EndReason, RunEvent, SummaryMode } from "../event/run-event.js";
import type { RunJournal } from "../journal/run-journal.js";
import type { ModelClient } from "../model/model-client.js";
import type { ProjectContext, ProjectSource } from "../project/project-context.js";
import type { RunState } from "../state/run-state.js";
import type { AgentRuntime } from "./agent-runtime.js";

export interface RunOptions {
  readonly runtime: AgentRuntime;
  readonly model: ModelClient;
  /** The user's task. Required for a new run; for a resumed or ended run it is the next message. */
  readonly task?: string;
  /** Images sent with the task. */
  readonly images?: readonly ImageContent[];
  /** Sent to the model above the task, separate from the user's text. */
  readonly note?: string;
  /** The system prompt. Default: the categorised prompt of the runtime's tools. */
  readonly system?: string;
  /** Project information in the default system prompt (compact style). A function is called before each turn. */
  readonly project?: ProjectContext | ProjectSource;
  /** Offers deferred tools only after `find_tools` has found them; also register `findToolsTool`. Default: false. */
  readonly deferTools?: boolean;
  /** The style of prompt and tools: "compact" for native tool calling. Default: "full". */
  readonly style?: PromptStyle;
  /** Stores the run. A journal with events resumes its run. Default: memory. */
  readonly journal?: RunJournal;
  /** Limits of a new or reopened run. A resumed run keeps its own. */
  readonly limits?: Partial<RunLimits>;
  /** "none" ends a run without a last turn to summarize. Default: "turn". */
  readonly summary?: SummaryMode;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** Receives every event from now on, in order. Errors it throws are ignored. */
  readonly onEvent?: (event: RunEvent) => void;
  /** The delay before the first retry; it doubles each time. Default: 500. */
  readonly retryDelayMs?: number;
}

export interface RunHandle {
  readonly runId: string;
  readonly state: RunState;
  /** All durable events so far. */
  readonly log: readonly DurableEvent[];
  /** Yields the durable events after `afterSeq` (default: all), then live events until the run is over. */
  events(afterSeq?: number): AsyncIterable<RunEvent>;
  /** Returns the pending approvals. */
  pending(): readonly ApprovalRequest[];
  /**
   * Answers an approval through the runtime; `abort` also stops the run. Rejects with the runtime's error, such as
   * ALREADY_DECIDED.
   */
  decide(approvalId: string, answer: ApprovalAnswer, by?: string): Promise<void>;
  /** Sends a message to the model with its next turn. Throws if the run is over. */
  say(text: string, images?: readonly ImageContent[]): void;
  /** Replaces the conversation with a summary before the next turn. */
  compact(by?: string): void;
  /** Cancels running calls and ends the run once they are settled. */
  cancel(reason?: string, by?: string): void;
  /** Cancels one running call; the run continues with its result. Throws CALL_NOT_RUNNING for any other call. */
  stopCall(callId: string, by?: string): void;
  /**
   * Releases the run without ending it, so that another runtime can resume it from its journal. Stops running calls, so
   * it is best used while the run waits for approval.
   */
  detach(): void;
  /** Never rejects. Resolves once nothing is running. */
  readonly done: Promise<RunOutcome>;
}

export interface RunOutcome {
  readonly runId: string;
  /** "detached": the run is not over. */
  readonly reason: EndReason | "detached";
  /** The model's last message. */
  readonly summary: string;
  readonly steps: number;
  readonly error?: ErrorInfo;
}
