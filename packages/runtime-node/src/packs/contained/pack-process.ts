import type { ChildProcess } from "node:child_process";
import type { Duplex } from "node:stream";
import { startProcess } from "../../process/start-process.js";
import { signalGroup } from "../../process/stop-process-group.js";
import { loaderFlags } from "./loader-flags.js";
import { PackChannel } from "./pack-channel.js";
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
  readonly #channel: PackChannel;
  readonly #memoryMb: number;
  readonly #endings = new Set<(error: Error) => void>();
  #hear: ((message: FromPack) => void) | undefined;
  #reason: Error | undefined;
  #ended: Error | undefined;

  constructor(memoryMb: number, data: object) {
    this.#memoryMb = memoryMb;
    this.#child = startProcess({
      program: process.execPath,
      args: [...loaderFlags(process.execArgv), "-e", SUPERVISOR_PROGRAM],
      // A separate process group: Ctrl-C in a terminal reaches only this process, which cancels the call.
      detached: true,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    forwardOutput(this.#child);
    this.#channel = this.#openChannel();
    this.#watch();
    this.send({ program: PACK_PROGRAM, memoryMb, data });
  }

  get isOver(): boolean {
    return this.#ended !== undefined || this.#reason !== undefined || !this.#channel.isOpen;
  }

  /** Throws if the message cannot be cloned. A process that has ended ignores it. */
  send(message: object): void {
    this.#channel.send(message);
  }

  /** Passes messages on until one settles the promise. Rejects if the process ends first. */
  listen<T>(hear: (message: FromPack, settle: Settle<T>) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const off = () => {
        this.#hear = undefined;
        this.#endings.delete(failed);
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
      this.#hear = (message) => hear(message, { resolve: given, reject: failed });
      this.#endings.add(failed);
    });
  }

  /** Keeps this process alive while a call runs. */
  ref(): void {
    this.#child.ref();
    this.#channel.ref();
  }

  unref(): void {
    this.#child.unref();
    this.#channel.unref();
  }

  async end(): Promise<void> {
    if (this.#ended !== undefined) return;
    const ended = new Promise<void>((resolve) => this.#endings.add(() => resolve()));
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
    this.#channel.close();
  }

  #openChannel(): PackChannel {
    return new PackChannel(this.#child.stdio[CHANNEL] as Duplex, {
      hear: (message) => {
        const known = message as FromPack;
        if (known.type === "died") this.#reason = new Error(known.message);
        this.#hear?.(known);
      },
      onGarbage: () => {
        this.#reason ??= new Error(`it wrote to file descriptor ${CHANNEL}, which carries Haft's messages`);
        this.#kill();
      },
      onClose: () => {
        if (this.#child.exitCode === null && this.#child.signalCode === null) this.#kill();
        this.#settle();
      },
    });
  }

  #watch(): void {
    const child = this.#child;
    child.once("exit", () => this.#settle());
    child.on("error", (error) => {
      this.#reason ??= error;
      if (child.pid === undefined) this.#over();
    });
  }

  /** Messages can arrive until the channel is closed, also after the exit. */
  #settle(): void {
    const { exitCode, signalCode } = this.#child;
    if (!this.#channel.isOpen && (exitCode !== null || signalCode !== null)) this.#over();
  }

  #over(): void {
    this.#ended ??= new PackEnded(this.#reason ?? this.#endedBySignal());
    for (const fail of [...this.#endings]) fail(this.#ended);
    this.#endings.clear();
  }

  #endedBySignal(): Error | undefined {
    if (this.#child.signalCode !== "SIGABRT" && this.#child.exitCode !== ABORTED) return undefined;
    return new Error(`it was aborted, most likely at its memory limit of ${this.#memoryMb} MB`);
  }
}

/** The process has ended. The message is the reason, if there is one: "it was ended at …". */
export class PackEnded extends Error {
  constructor(cause?: Error) {
    super(cause?.message ?? "", { cause });
  }
}

export interface Settle<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

const CHANNEL = 3;

/** The exit code of an aborted process where there are no signals. */
const ABORTED = 134;

/**
 * Prints what a contained pack prints on standard error, because standard output may carry a protocol. Leaves out
 * V8's report of a full heap: the failed call names the memory limit.
 */
function forwardOutput({ stdout, stderr }: ChildProcess): void {
  let isReport = false;
  for (const stream of [stdout, stderr]) {
    stream?.on("error", () => {});
    stream?.on("data", (chunk: Buffer) => {
      isReport ||= REPORT.test(chunk.toString("latin1"));
      if (isReport || process.stderr.write(chunk)) return;
      // The reader of standard error is slow, so the pack waits.
      stream.pause();
      process.stderr.once("drain", () => stream.resume());
    });
    // Open pipes of an idle pack do not keep this process alive.
    (stream as { unref?(): void } | null)?.unref?.();
  }
}

const REPORT = /<--- Last few GCs --->|FATAL ERROR: /;
