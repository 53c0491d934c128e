import { type ErrorInfo, messageOf, ToolError } from "@haft/core";
import { DEFAULT_LIMITS } from "../event/limits.js";
import type { DurableBody } from "../event/run-event.js";
import { memoryJournal } from "../journal/memory-journal.js";
import { eventStream } from "./event-stream.js";
import { RunDriver } from "./run-driver.js";
import { RunLog } from "./run-log.js";
import type { RunDecision, RunHandle, RunOptions, RunOutcome } from "./run-options.js";
import { watchCalls } from "./watch-calls.js";

/**
 * Drives a model through a runtime until the work is done or a limit is met. A journal with events in
 * it is taken up where it stopped: what had begun and may not be repeated is `unknown`, what had not is
 * made, and what a person is asked stays asked.
 */
export function startRun(options: RunOptions): RunHandle {
  const log = new RunLog(options.journal ?? memoryJournal());
  if (options.task === undefined && log.state.status === "idle") {
    log.close();
    throw new ToolError("INVALID_ARGUMENTS", "A run that nobody has given a task yet needs one");
  }
  return new Run(options, log);
}

class Run implements RunHandle {
  readonly done: Promise<RunOutcome>;
  readonly #options: RunOptions;
  readonly #log: RunLog;
  readonly #driver: RunDriver;
  readonly #deciders = new Map<string, string>();
  #failure: ErrorInfo | undefined;
  #isDetached = false;

  constructor(options: RunOptions, log: RunLog) {
    this.#options = options;
    this.#log = log;
    this.#driver = new RunDriver(options, log);
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
    return this.#log.events;
  }

  events(afterSeq = 0) {
    return eventStream(this.#log, { afterSeq, over: this.done });
  }

  pending() {
    return this.#log.state.calls.flatMap(({ status, approval }) =>
      status === "awaiting" && approval !== undefined ? [approval] : [],
    );
  }

  async decide(approvalId: string, { abort = false, ...answer }: RunDecision, by = "user"): Promise<void> {
    const { runtime } = this.#options;
    if (runtime.decide === undefined)
      throw new ToolError("APPROVAL_NOT_FOUND", "This runtime takes no decisions", {
        hint: "Its own gate asks; answer there.",
      });
    this.#deciders.set(approvalId, by);
    await runtime.decide(approvalId, abort ? { ...answer, approved: false } : answer);
    if (abort) this.#stop({ by, why: "aborted", ...(answer.feedback && { reason: answer.feedback }) });
  }

  say(text: string): void {
    if (this.state.status === "done" || this.#isDetached)
      throw new ToolError("RUN_ENDED", "The run is over; nobody hears this any more");
    this.#append({ type: "message.user", id: crypto.randomUUID(), text });
  }

  cancel(reason?: string, by = "user"): void {
    this.#stop({ by, why: "cancelled", ...(reason !== undefined && { reason }) });
  }

  detach(): void {
    this.#isDetached = true;
    this.#driver.letGo(new ToolError("CANCELLED", "The run was let go of"));
  }

  async #run(): Promise<RunOutcome> {
    const { runtime, signal } = this.#options;
    const onAbort = () => this.cancel(signal?.reason === undefined ? undefined : messageOf(signal.reason));
    const leave = watchCalls({
      runtime,
      log: this.#log,
      isOver: () => this.#isDetached || this.#failure !== undefined,
      deciderOf: (approvalId) => this.#deciders.get(approvalId),
      failed: (cause) => this.#fail(cause),
    });
    try {
      const known = this.#log.events.length;
      this.#open();
      signal?.addEventListener("abort", onAbort, { once: true });
      if (signal?.aborted) onAbort();
      await this.#listen(known);
      await this.#driver.drive();
    } catch (cause) {
      this.#fail(cause);
    } finally {
      signal?.removeEventListener("abort", onAbort);
      leave();
      this.#close();
    }
    return this.#outcome();
  }

  /** Whoever started the run hears of it from the first new event on, and never before it has the handle. */
  async #listen(known: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    const { onEvent } = this.#options;
    if (onEvent !== undefined) this.#log.watch(onEvent, this.#log.events.slice(known));
  }

  #open(): void {
    const { runtime, limits, summary = "turn", task } = this.#options;
    if (this.#log.events.length === 0) {
      const tools = runtime.tools().map(({ name }) => name);
      const setting = { role: runtime.role.name, workspace: runtime.workspace.absolute(""), tools };
      this.#log.append({
        type: "run.started",
        ...setting,
        limits: { ...DEFAULT_LIMITS, ...limits },
        summary,
      });
    } else if (this.state.status !== "done") this.#log.append({ type: "run.resumed" });
    if (task !== undefined && this.state.status !== "done") this.say(task);
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

  /** What cannot be written down must not go on. */
  #fail(cause: unknown): void {
    this.#failure ??= failureOf(cause);
    this.#driver.letGo(new ToolError("CANCELLED", "The run failed", { cause }));
  }

  #close(): void {
    try {
      this.#log.close();
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

/** What was not thrown on purpose is a defect of ours, and says so. */
function failureOf(cause: unknown): ErrorInfo {
  return { code: ToolError.is(cause) ? cause.code : "INTERNAL", message: messageOf(cause) };
}
