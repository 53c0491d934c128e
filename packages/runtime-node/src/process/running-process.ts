import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { type ProcessOutcome, type ProcessRequest, ToolError } from "@haft/core";
import { OutputCapture } from "./output-capture.js";
import { stopProcessGroup } from "./stop-process-group.js";

export interface Launch {
  readonly program: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly request: ProcessRequest;
}

export interface FinishedProcess extends ProcessOutcome {
  readonly pid: number;
}

/**
 * Runs one process in a group of its own and waits for its exit, never for its pipes: a child left
 * behind may hold those for ever. Time limit, abort and too much output end the whole group.
 */
export async function runProcess(launch: Launch, signal: AbortSignal): Promise<FinishedProcess> {
  signal.throwIfAborted();
  const startedAt = performance.now();
  const child = start(launch);
  const exit = exitOf(child, launch.program);
  const { pid } = child;
  if (pid === undefined) return exit as Promise<never>;
  const ending = new GroupEnding(pid, signal, launch.request.timeoutMs);
  const onBytes = (totalBytes: number) => totalBytes > MAX_OUTPUT_BYTES && ending.end("output");
  const stdout = capture(child.stdout as Readable, "stdout", launch.request, onBytes);
  const stderr = capture(child.stderr as Readable, "stderr", launch.request, onBytes);
  feed(child, launch.request.stdin);
  const { exitCode, signal: endedBy } = await exit;
  const cause = await ending.settled();
  const backgroundChild = await drain(child, [stdout.closed, stderr.closed]);
  if (cause === "abort") throw signal.reason;
  if (cause === "output") throw tooMuchOutput(launch.request);
  return {
    pid,
    stdout: stdout.output.result(),
    stderr: stderr.output.result(),
    exitCode,
    signal: endedBy,
    durationMs: Math.round(performance.now() - startedAt),
    timedOut: cause === "time",
    backgroundChild,
  };
}

const DRAIN_MS = 250;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

function start({ program, cwd, env, request }: Launch): ChildProcess {
  const [name, ...args] = request.argv;
  return spawn(program, args, {
    argv0: name,
    cwd,
    env,
    detached: true,
    shell: false,
    stdio: [request.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
}

function exitOf(child: ChildProcess, program: string) {
  return new Promise<{ exitCode: number | null; signal: string | null }>((resolve, reject) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    child.once("error", (cause: NodeJS.ErrnoException) =>
      reject(
        new ToolError("EXECUTION_ERROR", `${program} could not be started (${cause.code ?? cause.message})`, {
          cause,
        }),
      ),
    );
  });
}

/** What ends a process before it ends by itself; the first cause counts. */
class GroupEnding {
  readonly #pid: number;
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout | undefined;
  #cause: "time" | "abort" | "output" | undefined;
  #stopped: Promise<void> | undefined;

  constructor(pid: number, signal: AbortSignal, timeoutMs: number | undefined) {
    this.#pid = pid;
    this.#signal = signal;
    this.#timer = timeoutMs === undefined ? undefined : setTimeout(() => this.end("time"), timeoutMs);
    signal.addEventListener("abort", this.#aborted, { once: true });
  }

  end(cause: "time" | "abort" | "output"): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    this.#stopped = stopProcessGroup(this.#pid);
  }

  /** After the exit: waits until an ended group is gone, and says why it was ended. */
  async settled(): Promise<"time" | "abort" | "output" | undefined> {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#aborted);
    await this.#stopped;
    return this.#cause;
  }

  readonly #aborted = (): void => this.end("abort");
}

function capture(
  stream: Readable,
  name: "stdout" | "stderr",
  request: ProcessRequest,
  onBytes: (totalBytes: number) => void,
) {
  const output = new OutputCapture();
  const decoder = new TextDecoder("utf-8");
  stream.on("data", (chunk: Buffer) => {
    output.push(chunk);
    onBytes(output.totalBytes);
    if (request.onOutput === undefined) return;
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") request.onOutput(text, name);
  });
  // A pipe that breaks has ended; what came before it counts.
  stream.on("error", () => {});
  return { output, closed: new Promise<void>((resolve) => stream.once("close", () => resolve())) };
}

/** A program that does not read its input closes the pipe; that is its business. */
function feed(child: ChildProcess, stdin: string | Uint8Array | undefined): void {
  if (stdin === undefined) return;
  child.stdin?.on("error", () => {});
  child.stdin?.end(stdin);
}

/** True when somebody still holds the pipes after the process itself has ended. */
async function drain(child: ChildProcess, closed: readonly Promise<void>[]): Promise<boolean> {
  const timeout = new AbortController();
  const late = delay(DRAIN_MS, true, { signal: timeout.signal }).catch(() => true);
  const isHeld = await Promise.race([Promise.all(closed).then(() => false), late]);
  timeout.abort();
  if (!isHeld) return false;
  child.stdout?.destroy();
  child.stderr?.destroy();
  return true;
}

function tooMuchOutput({ argv }: ProcessRequest): ToolError {
  return new ToolError(
    "LIMIT_EXCEEDED",
    `${argv[0]} wrote more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MB of output and was stopped`,
    { hint: "Ask it for less, or let it write to a file." },
  );
}
