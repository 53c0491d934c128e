import type { ChildProcess } from "node:child_process";
import { startProcess } from "../../process/start-process.js";
import { signalGroup } from "../../process/stop-process-group.js";
import { forwardOutput } from "./forward-output.js";
import { loaderFlags } from "./loader-flags.js";
import type { FromPack } from "./pack-messages.js";
import { PACK_PROGRAM } from "./pack-program.js";
import { SUPERVISOR_PROGRAM } from "./supervisor-program.js";

/**
 * The process of a contained pack. A thread would not do: if one array in a thread outgrows the thread's memory limit,
 * V8 ends the whole process. The pack runs in a thread of that process, so that its first thread can end it as soon as
 * this process is gone, also while the pack loops.
 */
export class PackProcess {
  readonly #child: ChildProcess;
  readonly #memoryMb: number;
  readonly #listeners = new Set<(error: Error) => void>();
  #reason: Error | undefined;
  #ended: Error | undefined;

  constructor(memoryMb: number, data: object) {
    this.#memoryMb = memoryMb;
    this.#child = startProcess({
      program: process.execPath,
      args: [...loaderFlags(process.execArgv), "-e", SUPERVISOR_PROGRAM],
      // Its own group: Ctrl-C in a terminal reaches this process only, which cancels the call.
      detached: true,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      serialization: "advanced",
    });
    forwardOutput(this.#child);
    this.#watch();
    this.send({ program: PACK_PROGRAM, memoryMb, data });
  }

  get isOver(): boolean {
    return this.#ended !== undefined || this.#reason !== undefined || !this.#child.connected;
  }

  /** Throws if the message cannot be cloned. A process that has ended ignores it. */
  send(message: object): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** Passes messages on until one settles the promise. Rejects if the process ends first. */
  listen<T>(hear: (message: FromPack, settle: Settle<T>) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const onMessage = (message: unknown) => hear(message as FromPack, { resolve: given, reject: failed });
      const off = () => {
        this.#child.off("message", onMessage);
        this.#listeners.delete(failed);
      };
      const given = (value: T) => {
        off();
        resolve(value);
      };
      const failed = (error: Error) => {
        off();
        reject(error);
      };
      if (this.#ended !== undefined) return reject(this.#ended);
      this.#child.on("message", onMessage);
      this.#listeners.add(failed);
    });
  }

  /** Keeps this process alive while a call runs. */
  ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  async end(): Promise<void> {
    if (this.#ended !== undefined) return;
    const ended = new Promise<void>((resolve) => this.#listeners.add(() => resolve()));
    this.#kill();
    await ended;
  }

  /** Kills the whole process group, including programs that the pack has started. */
  #kill(): void {
    const { pid } = this.#child;
    // Not started; its error event follows.
    if (pid === undefined) return;
    if (!signalGroup(pid, "SIGKILL")) this.#child.kill("SIGKILL");
    // A program that the pack started may still hold the channel.
    if (this.#child.connected) this.#child.disconnect();
  }

  #watch(): void {
    const child = this.#child;
    const settle = () => {
      // Messages can arrive until the channel is closed, also after the exit.
      if (!child.connected && (child.exitCode !== null || child.signalCode !== null)) this.#over();
    };
    child.on("message", (message: FromPack) => {
      if (message.type === "died") this.#reason = new Error(message.message);
    });
    child.once("exit", settle).once("disconnect", settle);
    child.on("error", (error) => {
      this.#reason ??= error;
      if (child.pid === undefined) this.#over();
    });
  }

  #over(): void {
    this.#ended ??= this.#reason ?? this.#endedBySignal() ?? new PackEnded();
    for (const fail of [...this.#listeners]) fail(this.#ended);
    this.#listeners.clear();
  }

  #endedBySignal(): Error | undefined {
    if (this.#child.signalCode !== "SIGABRT" && this.#child.exitCode !== ABORTED) return undefined;
    return new Error(`it was aborted, most likely at its memory limit of ${this.#memoryMb} MB`);
  }
}

/** The process ended without a reason of its own. */
export class PackEnded extends Error {}

export interface Settle<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

/** The exit code of an aborted process where there are no signals. */
const ABORTED = 134;
