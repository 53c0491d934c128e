import { ToolError } from "@haft/core";
import type { DurableBody, RunEnded } from "../event/run-event.js";
import { type CallState, isOpen } from "../state/run-state.js";
import { ActiveClock } from "./active-clock.js";
import type { SeenFiles } from "./agent-runtime.js";
import type { ColouredOutput } from "./coloured-output.js";
import { type Command, decide, type Verdict } from "./decide.js";
import { makeCall, recoverCall } from "./make-call.js";
import { ModelTurns } from "./model-turns.js";
import type { RunLog } from "./run-log.js";
import type { RunOptions } from "./run-options.js";
import { RunningWork } from "./running-work.js";
import { SeenLedger } from "./seen-ledger.js";
import { settleCancelled, settleUnanswered, settleUnmade } from "./settle-unmade.js";
import { WakeUp } from "./wake-up.js";

/**
 * Executes what `decide` returns until nothing is left. Every action appends an event, and the events determine the
 * next state. Independent of any tool.
 */
export class RunDriver {
  readonly #options: RunOptions;
  readonly #log: RunLog;
  readonly #printed: ColouredOutput;
  readonly #turns: ModelTurns;
  readonly #seen: SeenLedger;
  readonly #clock: ActiveClock;
  readonly #wakeUp = new WakeUp();
  readonly #running = new RunningWork();
  #isReleased = false;
  #broken: { readonly cause: unknown } | undefined;

  constructor(options: RunOptions, log: RunLog, printed: ColouredOutput) {
    this.#options = options;
    this.#log = log;
    this.#printed = printed;
    this.#turns = new ModelTurns(options, log);
    this.#seen = new SeenLedger(options.runtime, log.state.seen);
    this.#clock = new ActiveClock(() => this.#stopAtDeadline());
  }

  /** Resolves when the run is over or cannot continue, and nothing is running. Rejects if an event cannot be stored. */
  async drive(): Promise<void> {
    while (!this.#isReleased) {
      // Events must be stored before they are acted on.
      const flushing = this.#log.flush();
      if (flushing !== undefined) {
        await flushing;
        continue;
      }
      this.#clock.set(this.#log.state);
      const commands = decide(this.#log.state);
      if (commands.length === 0 && this.#running.size === 0) break;
      if (this.#log.state.status === "done") break;
      const begun = this.#affordable(commands).map((command) => this.#begin(command));
      if (begun.includes("again")) continue;
      await this.#wakeUp.wait();
    }
    this.release(new ToolError("CANCELLED", "The run is over"));
    await this.#running.idle(GRACE_MS);
    if (this.#broken !== undefined) throw this.#broken.cause;
  }

  /** Notifies the driver that the state was changed from outside: a message, a cancellation or an answer. */
  changed(): void {
    this.#wakeUp.notify();
  }

  /** Aborts one call; the run continues. Returns false if the call is not running. */
  stopCall(callId: string, reason: ToolError): boolean {
    const controller = this.#running.controllerOf(callId);
    const call = this.#log.state.calls.find((each) => each.callId === callId);
    if (controller === undefined || call === undefined) return false;
    if (controller.signal.aborted) return true;
    controller.abort(reason);
    const timer = setTimeout(() => {
      this.#guarded(() => this.#settled(call, settleUnanswered(call)));
      this.#running.forget(callId);
    }, GRACE_MS);
    (timer as { unref?(): void }).unref?.();
    return true;
  }

  /** Starts nothing more and aborts running work, without logging it. */
  release(reason: ToolError): void {
    this.#isReleased = true;
    this.#clock.stop();
    this.#running.abortAll(reason);
    this.#wakeUp.notify();
  }

  /** Returns "again" if the state may have changed immediately. */
  #begin(command: Command): "again" | "later" {
    if (this.#isReleased) return "again";
    switch (command.type) {
      case "end":
        return this.#end(command.ended);
      case "compact":
        return this.#append({ type: "context.compacted", cleared: command.cleared });
      case "summarize":
        return this.#start("turn", (signal) => this.#turns.summarize(signal));
      case "think":
        return this.#start("turn", (signal) => this.#turns.think(command, signal));
      case "call":
        return this.#start(command.call.callId, (signal) => this.#make(command.call, signal));
      case "settle":
        return this.#start(command.call.callId, (signal) =>
          this.#settle(command.call, signal, command.verdict),
        );
      case "cancel":
        return this.#cancel(command.call);
    }
  }

  #end(ended: RunEnded): "again" {
    this.#running.controllerOf("turn")?.abort();
    return this.#append(ended);
  }

  #append(body: DurableBody): "again" {
    this.#log.append(body);
    return "again";
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<void>): "later" {
    if (this.#running.has(key)) return "later";
    const done = this.#running.start(key, (signal) => work(signal).catch((cause) => this.#fail(cause)));
    void done.then(() => this.#wakeUp.notify());
    return "later";
  }

  /** Limits new calls to the free slots. Calls waiting for approval take no slot. */
  #affordable(commands: readonly Command[]): readonly Command[] {
    const { calls, limits } = this.#log.state;
    const busy = calls.filter(({ callId, status }) => status !== "awaiting" && this.#running.has(callId));
    let room = limits.maxRunning - busy.length;
    return commands.filter((command) => {
      if (command.type !== "call") return true;
      if (this.#running.has(command.call.callId) || room <= 0) return false;
      room -= 1;
      return true;
    });
  }

  async #make(call: CallState, signal: AbortSignal): Promise<void> {
    const { runtime } = this.#options;
    const { limits } = this.#log.state;
    const { earlier: alreadySeen } = this.#seen;
    const context = { runtime, limits, signal, alreadySeen, beforeStart: () => this.#log.flush() };
    this.#settled(call, await makeCall(call, context));
  }

  /** Settles a call without making it. */
  async #settle(call: CallState, signal: AbortSignal, verdict: Verdict): Promise<void> {
    const { runtime } = this.#options;
    const { limits, stop } = this.#log.state;
    const isLost = call.status === "lost" && stop === undefined;
    this.#settled(
      call,
      isLost
        ? await recoverCall(call, { runtime, limits, signal })
        : await settleUnmade(call, verdict, runtime),
    );
  }

  /** Appends the first settlement only. */
  #settled(call: CallState, body: ReturnType<typeof settleCancelled>): void {
    const current = this.#log.state.calls.find(({ callId }) => callId === call.callId);
    if (this.#isReleased || current === undefined || !isOpen(current)) return;
    const seen: SeenFiles = this.#seen.takeNew();
    const printed = this.#printed.take(call.callId);
    const isRead = call.idempotent && body.effects.length === 0;
    const settled = { ...body, ...(printed !== undefined && { printed }), ...(seen.length > 0 && { seen }) };
    this.#log.append(settled, { durable: !isRead });
  }

  #cancel(call: CallState): "again" | "later" {
    if (this.stopCall(call.callId, new ToolError("CANCELLED", "The run was stopped"))) return "later";
    this.#settled(call, settleCancelled(call));
    return "again";
  }

  #stopAtDeadline(): void {
    const { stop, status, limits } = this.#log.state;
    if (stop !== undefined || status === "done") return;
    const seconds = Math.round(limits.activeMs / 1000);
    const reason = `the run was active for more than ${seconds} s`;
    this.#guarded(() => this.#log.append({ type: "run.cancelled", by: "clock", why: "deadline", reason }));
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (cause) {
      this.#fail(cause);
    }
    this.#wakeUp.notify();
  }

  /** Stops the run if an event cannot be stored. */
  #fail(cause: unknown): void {
    this.#broken ??= { cause };
    this.release(new ToolError("CANCELLED", "The run failed", { cause }));
  }
}

/** How long a cancelled call may take to stop. */
const GRACE_MS = 15_000;
