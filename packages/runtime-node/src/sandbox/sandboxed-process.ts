import { type ChildProcess, spawn } from "node:child_process";
import { lstatSync, readdirSync, statfsSync } from "node:fs";
import { constants } from "node:os";
import type { Duplex, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "@haft/core";
import { OutputRecorder } from "../process/output-recorder.js";
import { stopProcessGroup } from "../process/stop-process-group.js";
import { SCRUBBED } from "./find-bubblewrap.js";

export interface SandboxLaunch {
  readonly argv: readonly string[];
  readonly stdin?: string | undefined;
  /** The launcher's own; what runs in a box has those of the box. */
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What the descriptors from 3 on carry, in order. */
  readonly data: readonly Buffer[];
  readonly timeoutMs: number;
  readonly outputBytes: number;
  /** A folder, how large it is, and by how much it may grow. */
  readonly disk: { readonly path: string; readonly startBytes: number; readonly maxBytes: number };
  /** Called when the launcher says, on the descriptor after the data, that it has made something and waits. */
  onReady?: ((pid: number) => void) | undefined;
}

export interface SandboxEnd {
  readonly recorder: OutputRecorder;
  readonly exitCode: number;
  readonly durationMs: number;
  readonly endedBy?: "time" | "disk" | undefined;
}

/** Runs the launcher and waits for its exit. Time, a filling disk and the signal end the whole box. */
export async function runSandboxed(launch: SandboxLaunch, signal: AbortSignal): Promise<SandboxEnd> {
  const startedAt = performance.now();
  const child = start(launch);
  const recorder = new OutputRecorder({ keptBytes: Math.floor(launch.outputBytes / 2) });
  const closed = (["stdout", "stderr"] as const).map((name) => {
    child[name]?.on("data", (chunk: Buffer) => recorder.push(chunk, name));
    return new Promise<void>((resolve) => child[name]?.once("close", () => resolve()));
  });
  const ending = new SandboxEnding(child, launch, signal);
  try {
    const exitCode = await exitOf(child);
    const endedBy = await ending.settled();
    await Promise.race([Promise.all(closed), delay(DRAIN_MS)]);
    if (endedBy === "abort") throw signal.reason;
    return { recorder, exitCode, endedBy, durationMs: Math.round(performance.now() - startedAt) };
  } finally {
    await ending.settled();
  }
}

const DRAIN_MS = 250;
const DISK_POLL_MS = 200;

function start({
  argv: [program = "", ...args],
  data,
  stdin,
  onReady,
  cwd,
  env,
}: SandboxLaunch): ChildProcess {
  const child = spawn(program, args, {
    cwd,
    env: env ?? SCRUBBED,
    detached: true,
    shell: false,
    stdio: [
      stdin === undefined ? "ignore" : "pipe",
      ...["pipe" as const, "pipe" as const],
      ...data.map(() => "pipe" as const),
      onReady === undefined ? "ignore" : "pipe",
    ],
  });
  if (onReady !== undefined) answer(child, child.stdio[data.length + 3] as Duplex | null, onReady);
  for (const [index, bytes] of data.entries()) feed(child.stdio[index + 3] as Writable | null, bytes);
  if (stdin !== undefined) feed(child.stdin, stdin);
  return child;
}

/** Lets the launcher go on; where what it made cannot be used it is not let go on, and ends. */
function answer(child: ChildProcess, waiting: Duplex | null, onReady: (pid: number) => void): void {
  waiting?.on("error", () => {});
  waiting?.once("data", () => {
    try {
      onReady(child.pid ?? 0);
      waiting.end("\n");
    } catch (cause) {
      child.emit("error", cause);
      waiting.destroy();
    }
  });
}

/** Who does not read to the end has its reasons; its exit code tells them. */
function feed(stream: Writable | null, content: Buffer | string): void {
  stream?.on("error", () => {});
  stream?.end(content);
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
    child.once("error", (cause) =>
      reject(new ToolError("EXECUTION_ERROR", "The sandbox could not be started", { cause })),
    );
  });
}

/** The first cause to end a run counts. */
class SandboxEnding {
  readonly #child: ChildProcess;
  readonly #signal: AbortSignal;
  readonly #timers: readonly NodeJS.Timeout[];
  #cause: "time" | "disk" | "abort" | undefined;
  #stopped: Promise<void> | undefined;

  constructor(child: ChildProcess, { timeoutMs, disk }: SandboxLaunch, signal: AbortSignal) {
    this.#child = child;
    this.#signal = signal;
    const freeBefore = freeBytes(disk.path);
    // How far the disk fills is cheap to ask and may be the doing of others, so then it is looked at closely.
    const checkDisk = () =>
      freeBefore - freeBytes(disk.path) > disk.maxBytes &&
      folderBytes(disk.path) - disk.startBytes > disk.maxBytes &&
      this.#end("disk");
    this.#timers = [setTimeout(() => this.#end("time"), timeoutMs), setInterval(checkDisk, DISK_POLL_MS)];
    signal.addEventListener("abort", this.#aborted, { once: true });
    if (signal.aborted) this.#end("abort");
  }

  async settled(): Promise<"time" | "disk" | "abort" | undefined> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#signal.removeEventListener("abort", this.#aborted);
    await this.#stopped;
    return this.#cause;
  }

  #end(cause: "time" | "disk" | "abort"): void {
    if (this.#cause !== undefined || this.#child.pid === undefined) return;
    this.#cause = cause;
    this.#stopped = stopProcessGroup(this.#child.pid);
  }

  readonly #aborted = (): void => this.#end("abort");
}

/** What is in a folder that others write to meanwhile. */
function folderBytes(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  return stats.isDirectory()
    ? namesIn(path).reduce((sum, name) => sum + folderBytes(`${path}/${name}`), 0)
    : stats.blocks * BLOCK_BYTES;
}

const BLOCK_BYTES = 512;

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Asked in a timer, where nobody would catch what is thrown: a disk that cannot be asked fills nobody's. */
function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
