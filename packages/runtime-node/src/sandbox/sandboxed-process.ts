import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Duplex, Readable, Writable } from "node:stream";
import { ToolError } from "@haft/core";
import type { SandboxRequest } from "@haft/core/capabilities";
import { drainStreams, quiet } from "../process/drain-streams.js";
import { OutputRecorder, type RecorderOptions } from "../process/output-recorder.js";
import { startProcess } from "../process/start-process.js";
import { SCRUBBED } from "./find-bubblewrap.js";
import { answer, answerOnce, feed, typingInto } from "./launcher-streams.js";
import type { MemoryFolder } from "./memory-folders.js";
import { type EndedBy, SandboxEnding } from "./sandbox-ending.js";

export interface SandboxLaunch {
  readonly argv: readonly string[];
  readonly stdin?: string | undefined;
  /** Called with a function that writes to its input. */
  onInput?: SandboxRequest["onInput"] | undefined;
  /** The launcher's own environment and directory; the box has its own. */
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The data of the descriptors from 3 on, in order. "later" is left open for `sendLater`. */
  readonly data: readonly (Buffer | "later")[];
  readonly timeoutMs?: number | undefined;
  /** How to capture, log and stream its output. */
  readonly output: RecorderOptions;
  /** The limits of all its processes together. Memory and processes only if the kernel does not count them. */
  readonly group?:
    | {
        readonly memoryMb: number | undefined;
        readonly processes?: number | undefined;
        readonly cpuSeconds: number;
      }
    | undefined;
  /** A folder, its initial size, how much it may grow, and how many entries it may have (250,000 by default). */
  readonly disk: {
    readonly path: string;
    readonly startBytes: number;
    readonly maxBytes: number;
    readonly maxEntries?: number | undefined;
  };
  /** The folders of the box that are memory, each with as many entries at most as the disk may get. */
  readonly memoryFolders?: readonly MemoryFolder[] | undefined;
  /** Called when the launcher reports, on the descriptor after the data, that it is ready and waits. */
  onReady?: ((pid: number) => void) | undefined;
  /** Whether the program reports a status on the next descriptor. */
  readonly hasStatus?: boolean | undefined;
  /** Returns whether nothing was written: then the status "done" suffices, and the box ends by itself. */
  isUntouched?(): boolean;
}

export interface SandboxEnd {
  readonly recorder: OutputRecorder;
  readonly exitCode: number;
  readonly durationMs: number;
  readonly endedBy?: EndedBy | undefined;
  /** The launcher's report: how many processes were left, and the exit code. */
  readonly status: string;
  /** The box is still ending, and has written nothing. */
  readonly isEarly: boolean;
}

/** Runs the launcher and waits for its exit. A time limit, a filling disk or the signal ends the whole box. */
export async function runSandboxed(launch: SandboxLaunch, signal: AbortSignal): Promise<SandboxEnd> {
  return finishSandboxed(startSandboxed(launch), launch, signal);
}

/** Sends the input that a launch left open. A launcher that has ended reports it through its exit. */
export function sendLater(child: ChildProcess, { data }: SandboxLaunch, bytes: Buffer): void {
  feed(child.stdio[data.indexOf("later") + 3] as Writable | null, bytes);
}

/** The second half of a run: captures the output of a started launcher, and waits for its exit. */
export async function finishSandboxed(
  child: ChildProcess,
  launch: SandboxLaunch,
  signal: AbortSignal,
): Promise<SandboxEnd> {
  const startedAt = performance.now();
  const recorder = new OutputRecorder(launch.output);
  let chunks = 0;
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (chunk: Buffer) => {
      chunks += 1;
      recorder.push(chunk, name);
    });
  const report = new StatusReport(child.stdio[launch.data.length + 4] as Readable | null | undefined);
  const ending = new SandboxEnding(child, launch, signal);
  try {
    const exit = exitOf(child);
    const early = await Promise.race([
      exit.then(() => undefined),
      report.complete.then(() => earlyCode(launch, report.text)),
    ]);
    if (early !== undefined) await quiet(() => chunks);
    const exitCode = early ?? (await exit);
    const endedBy = await ending.settled();
    if (early === undefined)
      await drainStreams([child.stdout, child.stderr, report.stream].filter((stream) => stream != null));
    if (endedBy === "abort") throw signal.reason;
    return {
      recorder,
      exitCode,
      endedBy,
      isEarly: early !== undefined && endedBy === undefined,
      status: report.text.trim(),
      durationMs: Math.round(performance.now() - startedAt),
    };
  } finally {
    await ending.settled();
    recorder.close();
  }
}

/** The line that the box's first process writes when its command has ended. */
class StatusReport {
  /** Resolves when the line is complete. A box that is killed never completes it. */
  readonly complete: Promise<void>;
  #text = "";

  constructor(readonly stream: Readable | null | undefined) {
    this.complete = new Promise((resolve) => {
      stream?.on("data", (chunk: Buffer) => {
        this.#text += this.#text.length < MAX_STATUS_CHARS ? chunk.toString("latin1") : "";
        if (this.#text.endsWith("\n")) resolve();
      });
    });
  }

  get text(): string {
    return this.#text;
  }
}

/** Returns the exit code of a run that reported its end, if nothing has to wait until its box is gone. */
function earlyCode({ isUntouched }: SandboxLaunch, status: string): number | undefined {
  const [left, code] = status.trim().split(" ").map(Number);
  return left === OWN_PROCESSES && isUntouched?.() === true ? code : undefined;
}

/** The box's first process, and its shell. */
export const OWN_PROCESSES = 2;

const MAX_STATUS_CHARS = 100;

/** The first half of a run: starts the launcher, which may wait for data sent later. */
export function startSandboxed({
  argv: [program = "", ...args],
  data,
  stdin,
  onInput,
  onReady,
  hasStatus,
  cwd,
  env,
}: SandboxLaunch): ChildProcess {
  const child = startProcess({
    program,
    args,
    cwd,
    env: env ?? SCRUBBED,
    detached: true,
    shell: false,
    stdio: [
      stdin === undefined && onInput === undefined ? "ignore" : "pipe",
      ...["pipe" as const, "pipe" as const],
      ...data.map(() => "pipe" as const),
      onReady === undefined ? "ignore" : "pipe",
      hasStatus === true ? "pipe" : "ignore",
    ],
  });
  if (hasStatus === true) answerOnce(child.stdio[data.length + 4] as Duplex | null);
  if (onReady !== undefined) answer(child, child.stdio[data.length + 3] as Duplex | null, onReady);
  for (const [index, bytes] of data.entries())
    if (bytes !== "later") feed(child.stdio[index + 3] as Writable | null, bytes);
  if (stdin !== undefined) feed(child.stdin, stdin);
  else if (onInput !== undefined && child.stdin !== null) onInput(typingInto(child.stdin));
  return child;
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
