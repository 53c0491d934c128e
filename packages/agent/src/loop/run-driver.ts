import { ToolError } from "@haft/core";
import { formatSystemPrompt } from "@haft/prompt-formatter";
import type { DurableBody, RunEnded } from "../event/run-event.js";
import { type CallState, isOpen } from "../state/run-state.js";
import { ActiveClock } from "./active-clock.js";
import type { SeenFiles } from "./agent-runtime.js";
import { backOffMs } from "./back-off.js";
import { type Command, decide } from "./decide.js";
import { makeCall } from "./make-call.js";
import { pause } from "./pause.js";
import type { RunLog } from "./run-log.js";
import type { RunOptions } from "./run-options.js";
import { SeenLedger } from "./seen-ledger.js";
import { settleCancelled, settleUnanswered, settleUnmade } from "./settle-unmade.js";
import { takeTurn } from "./take-turn.js";
import { WakeUp } from "./wake-up.js";
import { WorkUnderWay } from "./work-under-way.js";

/**
 * Does what `decide` asks for until it asks for nothing more; each thing done is an event, and the
 * events make the next state. Knows nothing of any tool.
 */
export class RunDriver {
  readonly #options: RunOptions;
  readonly #log: RunLog;
  readonly #system: string;
  readonly #seen: SeenLedger;
  readonly #clock: ActiveClock;
  readonly #wakeUp = new WakeUp();
  readonly #underWay = new WorkUnderWay();
  #isLetGo = false;
  #broken: { readonly cause: unknown } | undefined;

  constructor(options: RunOptions, log: RunLog) {
    this.#options = options;
    this.#log = log;
    this.#system = options.system ?? formatSystemPrompt(options.runtime.tools());
    this.#seen = new SeenLedger(options.runtime, log.state.seen);
    this.#clock = new ActiveClock(() => this.#stopAtDeadline());
  }

  /** Resolves when the run is over or nothing can go on, and nothing is at work. Rejects when an event cannot be kept. */
  async drive(): Promise<void> {
    while (!this.#isLetGo) {
      this.#clock.set(this.#log.state);
      const commands = decide(this.#log.state);
      if (commands.length === 0 && this.#underWay.size === 0) break;
      if (this.#log.state.status === "done") break;
      if (
        this.#affordable(commands)
          .map((command) => this.#begin(command))
          .includes("again")
      )
        continue;
      await this.#wakeUp.wait();
    }
    this.letGo(new ToolError("CANCELLED", "The run is over"));
    await this.#underWay.stillness(GRACE_MS);
    if (this.#broken !== undefined) throw this.#broken.cause;
  }

  /** The state has changed from outside: somebody spoke, stopped the run, answered. */
  changed(): void {
    this.#wakeUp.happened();
  }

  /** Starts nothing more and stops what is under way, without a word in the log. */
  letGo(reason: ToolError): void {
    this.#isLetGo = true;
    this.#clock.stop();
    this.#underWay.abortAll(reason);
    this.#wakeUp.happened();
  }

  /** "again" when the state may have changed at once. */
  #begin(command: Command): "again" | "later" {
    if (this.#isLetGo) return "again";
    switch (command.type) {
      case "end":
        return this.#end(command.ended);
      case "compact":
        return this.#append({ type: "context.compacted", cleared: command.cleared });
      case "think":
        return this.#start("turn", (signal) => this.#think(command, signal));
      case "call":
        return this.#start(command.call.callId, (signal) => this.#make(command.call, signal));
      case "settle":
        return this.#start(command.call.callId, () => this.#settle(command));
      case "cancel":
        return this.#cancel(command.call);
    }
  }

  #end(ended: RunEnded): "again" {
    this.#underWay.controllerOf("turn")?.abort();
    return this.#append(ended);
  }

  #append(body: DurableBody): "again" {
    this.#log.append(body);
    return "again";
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<void>): "later" {
    if (this.#underWay.has(key)) return "later";
    const done = this.#underWay.start(key, (signal) => work(signal).catch((cause) => this.#fail(cause)));
    void done.then(() => this.#wakeUp.happened());
    return "later";
  }

  async #think(command: Extract<Command, { readonly type: "think" }>, signal: AbortSignal): Promise<void> {
    const { runtime, model, retryDelayMs: baseMs } = this.#options;
    const { retryAfterMs } = this.#log.state;
    await pause(backOffMs(command.attempt, { retryAfterMs, baseMs }), signal);
    const tools = runtime.tools();
    const body = await takeTurn({ ...command, log: this.#log, system: this.#system, model, tools, signal });
    if (!signal.aborted) this.#log.append(body);
  }

  /** As many new calls as may be at work; those that wait for a person take no room. */
  #affordable(commands: readonly Command[]): readonly Command[] {
    const { calls, limits } = this.#log.state;
    const busy = calls.filter(({ callId, status }) => status !== "awaiting" && this.#underWay.has(callId));
    let room = limits.maxRunning - busy.length;
    return commands.filter((command) => {
      if (command.type !== "call") return true;
      if (this.#underWay.has(command.call.callId) || room <= 0) return false;
      room -= 1;
      return true;
    });
  }

  async #make(call: CallState, signal: AbortSignal): Promise<void> {
    const { runtime } = this.#options;
    const { limits } = this.#log.state;
    const settled = await makeCall(call, { runtime, limits, signal, alreadySeen: this.#seen.before });
    this.#settled(call, settled);
  }

  async #settle({ call, verdict }: Extract<Command, { readonly type: "settle" }>): Promise<void> {
    this.#settled(call, await settleUnmade(call, verdict, this.#options.runtime));
  }

  /** The first settlement counts; there is never a second one in the log. */
  #settled(call: CallState, body: ReturnType<typeof settleCancelled>): void {
    const current = this.#log.state.calls.find(({ callId }) => callId === call.callId);
    if (this.#isLetGo || current === undefined || !isOpen(current)) return;
    const seen: SeenFiles = this.#seen.news();
    const isRead = call.idempotent && body.effects.length === 0;
    this.#log.append({ ...body, ...(seen.length > 0 && { seen }) }, { durable: !isRead });
  }

  #cancel(call: CallState): "again" | "later" {
    const controller = this.#underWay.controllerOf(call.callId);
    if (controller === undefined) {
      this.#settled(call, settleCancelled(call));
      return "again";
    }
    if (controller.signal.aborted) return "later";
    controller.abort(new ToolError("CANCELLED", "The run was stopped"));
    const timer = setTimeout(() => {
      this.#guarded(() => this.#settled(call, settleUnanswered(call)));
      this.#underWay.forget(call.callId);
    }, GRACE_MS);
    (timer as { unref?(): void }).unref?.();
    return "later";
  }

  #stopAtDeadline(): void {
    const { stop, status, limits } = this.#log.state;
    if (stop !== undefined || status === "done") return;
    const seconds = Math.round(limits.activeMs / 1000);
    const reason = `the run was at work for more than ${seconds} s`;
    this.#guarded(() => this.#log.append({ type: "run.cancelled", by: "clock", why: "deadline", reason }));
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (cause) {
      this.#fail(cause);
    }
    this.#wakeUp.happened();
  }

  /** What cannot be written down must not go on. */
  #fail(cause: unknown): void {
    this.#broken ??= { cause };
    this.letGo(new ToolError("CANCELLED", "The run failed", { cause }));
  }
}

/** How long a call that was told to stop may take to do so. */
const GRACE_MS = 15_000;
