import { type ApprovalAnswer, type ErrorInfo, type ImageContent, messageOf, ToolError } from "@haft/core";
import { cancelledForNow } from "@haft/core/kernel";
import { DEFAULT_LIMITS } from "../event/limits.js";
import type { DurableBody, MessageUser } from "../event/run-event.js";
import { memoryJournal } from "../journal/memory-journal.js";
import { ColouredOutput } from "./coloured-output.js";
import { eventStream } from "./event-stream.js";
import { failureOf } from "./failure-of.js";
import { RunDriver } from "./run-driver.js";
import { RunLog } from "./run-log.js";
import type { RunHandle, RunOptions, RunOutcome } from "./run-options.js";
import { notRunning, stoppedBy } from "./stopped-call.js";
import { watchCalls } from "./watch-calls.js";

/**
 * Runs a model with a runtime until the work is done or a limit is reached. Resumes a journal with events: calls that
 * had started and may not be repeated are `unknown`, others are executed, and open approvals stay open. A run that had
 * ended continues with the task as its next message.
 */
export function startRun(options: RunOptions): RunHandle {
  const log = new RunLog(options.journal ?? memoryJournal());
  if (options.task === undefined && log.state.status === "idle") {
    void log.close();
    throw new ToolError("INVALID_ARGUMENTS", "The run has no task. Pass `task` to startRun");
  }
  return new Run(options, log);
}

class Run implements RunHandle {
  readonly done: Promise<RunOutcome>;
  readonly #options: RunOptions;
  readonly #log: RunLog;
  readonly #driver: RunDriver;
  readonly #deciders = new Map<string, string>();
  readonly #printed = new ColouredOutput();
  #failure: ErrorInfo | undefined;
  #isDetached = false;

  constructor(options: RunOptions, log: RunLog) {
    this.#options = options;
    this.#log = log;
    this.#driver = new RunDriver(options, log, this.#printed);
    this.#log.watch(() => this.#driver.changed());
    this.done = this.#run();
  }

  get runId() {
    return this.#log.runId;
  }

  get state() {
    return this.#log.state;
  }

  get log() {
    return this.#log.stored;
  }

  events(afterSeq = 0) {
    return eventStream(this.#log, { afterSeq, over: this.done });
  }

  pending() {
    return this.#log.state.calls.flatMap(({ status, approval }) =>
      status === "awaiting" && approval !== undefined ? [approval] : [],
    );
  }

  async decide(approvalId: string, answer: ApprovalAnswer, by = "user"): Promise<void> {
    const { runtime } = this.#options;
    if (runtime.decide === undefined)
      throw new ToolError("APPROVAL_NOT_FOUND", "This runtime does not accept decisions", {
        hint: "It was created with its own approver; answer there.",
      });
    this.#deciders.set(approvalId, by);
    await runtime.decide(approvalId, { by: { how: "person", who: by }, ...answer });
    if (answer.abort === true)
      this.#stop({ by, why: "aborted", ...(answer.feedback && { reason: answer.feedback }) });
  }

  say(text: string, images: readonly ImageContent[] = []): void {
    if (this.state.status === "done" || this.#isDetached)
      throw new ToolError("RUN_ENDED", "Message not delivered: the run has ended", {
        hint: "Start it again with the same journal and this message as its task.",
      });
    this.#hear(text, { images });
  }

  compact(by = "user"): void {
    this.#append({ type: "compaction.requested", by });
  }

  cancel(reason?: string, by = "user"): void {
    this.#stop({ by, why: "cancelled", ...(reason !== undefined && { reason }) });
  }

  stopCall(callId: string, by = "user"): void {
    if (!this.#driver.stopCall(callId, stoppedBy(by))) throw notRunning(callId);
  }

  detach(): void {
    this.#isDetached = true;
    this.#driver.release(cancelledForNow("The run was detached"));
  }

  async #run(): Promise<RunOutcome> {
    const { runtime, signal } = this.#options;
    const onAbort = () => this.cancel(signal?.reason === undefined ? undefined : messageOf(signal.reason));
    const unwatch = watchCalls({
      runtime,
      log: this.#log,
      printed: this.#printed,
      isOver: () => this.#isDetached || this.#failure !== undefined,
      deciderOf: (approvalId) => this.#deciders.get(approvalId),
      failed: (cause) => this.#fail(cause),
    });
    try {
      const known = this.#log.events.length;
      this.#open();
      await this.#log.flush();
      signal?.addEventListener("abort", onAbort, { once: true });
      if (signal?.aborted) onAbort();
      await this.#listen(known);
      await this.#driver.drive();
    } catch (cause) {
      this.#fail(cause);
    } finally {
      signal?.removeEventListener("abort", onAbort);
      unwatch();
      await this.#close();
    }
    return this.#outcome();
  }

  /** Notifies onEvent of every new event, but not before the caller has the handle. */
  async #listen(known: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    const { onEvent } = this.#options;
    if (onEvent !== undefined) this.#log.watch(onEvent, this.#log.events.slice(known));
  }

  #open(): void {
    const { runtime, limits, summary = "turn", task } = this.#options;
    if (this.#log.events.length === 0) {
      const tools = runtime.tools().map(({ name }) => name);
      const details = { role: runtime.role.name, workspace: runtime.workspace.absolute(""), tools };
      this.#log.append({
        type: "run.started",
        ...details,
        limits: { ...DEFAULT_LIMITS, ...limits },
        summary,
      });
    } else if (this.state.status !== "done") this.#log.append({ type: "run.resumed" });
    else if (task !== undefined) this.#log.append({ type: "run.reopened", ...(limits && { limits }) });
    if (task !== undefined) this.#hear(task, this.#options);
  }

  #hear(text: string, { images = [], note }: Pick<MessageUser, "images" | "note">): void {
    const beside = { ...(note !== undefined && { note }), ...(images.length > 0 && { images }) };
    this.#append({ type: "message.user", id: crypto.randomUUID(), text, ...beside });
  }

  #stop(stop: Pick<Extract<DurableBody, { type: "run.cancelled" }>, "by" | "why" | "reason">): void {
    if (this.state.status === "done" || this.state.stop !== undefined || this.#isDetached) return;
    this.#append({ type: "run.cancelled", ...stop });
  }

  #append(body: DurableBody): void {
    try {
      this.#log.append(body);
    } catch (cause) {
      this.#fail(cause);
    }
  }

  /** Stops the run if an event cannot be stored. */
  #fail(cause: unknown): void {
    this.#failure ??= failureOf(cause);
    this.#driver.release(new ToolError("CANCELLED", "The run failed", { cause }));
  }

  async #close(): Promise<void> {
    try {
      await this.#log.close();
    } catch (cause) {
      this.#failure ??= failureOf(cause);
    }
  }

  #outcome(): RunOutcome {
    const { step: steps, text, ended } = this.state;
    const frame = { runId: this.runId, steps };
    if (ended !== undefined) {
      const { reason, summary, error } = ended;
      return { ...frame, reason, summary, ...(error && { error }) };
    }
    if (this.#failure === undefined) return { ...frame, reason: "detached", summary: text };
    return { ...frame, reason: "error", summary: text, error: this.#failure };
  }
}
