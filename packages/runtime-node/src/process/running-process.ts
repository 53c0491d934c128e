import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { ToolError } from "@haft/core";
import type { ProcessOutcome, ProcessRequest } from "@haft/core/capabilities";
import { drainStreams } from "./drain-streams.js";
import { OutputCapture } from "./output-capture.js";
import { notStarted, startProcess } from "./start-process.js";
import { stopProcessGroup } from "./stop-process-group.js";

interface Launch {
  readonly program: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly request: ProcessRequest;
}

interface FinishedProcess extends ProcessOutcome {
  readonly pid: number;
}

/**
 * Runs one process in its own group and waits for its exit, never for its pipes: a child left behind may hold those
 * forever. A time limit, an abort or too much output ends the whole group.
 */
export async function runProcess(launch: Launch, signal: AbortSignal): Promise<FinishedProcess> {
  signal.throwIfAborted();
  const startedAt = performance.now();
  const child = start(launch);
  const exit = exitOf(child, launch.program);
  const { pid } = child;
  if (pid === undefined) return exit as Promise<never>;
  const ending = new GroupEnding(pid, signal, launch.request.timeoutMs);
  const { onOutput } = launch.request;
  const onBytes = (totalBytes: number) => totalBytes > MAX_OUTPUT_BYTES && ending.end("output");
  const stdout = capture(child.stdout as Readable, { name: "stdout", onOutput, onBytes });
  const stderr = capture(child.stderr as Readable, { name: "stderr", onOutput, onBytes });
  feed(child, launch.request.stdin);
  const { exitCode, signal: endedBy } = await exit;
  const cause = await ending.settled();
  const backgroundChild = await drain(child);
  if (cause === "abort") throw signal.reason;
  if (cause === "output") throw tooMuchOutput(launch.request);
  return {
    pid,
    stdout: stdout.result(),
    stderr: stderr.result(),
    exitCode,
    signal: endedBy,
    durationMs: Math.round(performance.now() - startedAt),
    timedOut: cause === "time",
    backgroundChild,
  };
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

function start({ program, cwd, env, request }: Launch): ChildProcess {
  const [name, ...args] = request.argv;
  return startProcess({
    program,
    args,
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
    child.once("error", (cause) => reject(notStarted(program, cause)));
  });
}

/** Ends a process group early; the first cause counts. */
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

  /** Call after the exit. Waits until a stopped group has ended, and returns the reason for stopping it. */
  async settled(): Promise<"time" | "abort" | "output" | undefined> {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#aborted);
    await this.#stopped;
    return this.#cause;
  }

  readonly #aborted = (): void => this.end("abort");
}

interface Capturing {
  readonly name: "stdout" | "stderr";
  readonly onOutput: ProcessRequest["onOutput"];
  onBytes(totalBytes: number): void;
}

function capture(stream: Readable, { name, onOutput, onBytes }: Capturing): OutputCapture {
  const output = new OutputCapture();
  const decoder = new TextDecoder("utf-8");
  stream.on("data", (chunk: Buffer) => {
    output.push(chunk);
    onBytes(output.totalBytes);
    if (onOutput === undefined) return;
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") onOutput(text, name);
  });
  // A broken pipe is an end; data before it counts.
  stream.on("error", () => {});
  return output;
}

/** Writes the input. A program that does not read it closes the pipe, which is not an error. */
function feed(child: ChildProcess, stdin: string | Uint8Array | undefined): void {
  if (stdin === undefined) return;
  child.stdin?.on("error", () => {});
  child.stdin?.end(stdin);
}

/** Returns whether another process still holds the pipes after this one has exited. */
async function drain({ stdout, stderr }: ChildProcess): Promise<boolean> {
  const streams = [stdout, stderr].filter((stream) => stream !== null);
  const isHeld = await drainStreams(streams);
  if (isHeld) for (const stream of streams) stream.destroy();
  return isHeld;
}

function tooMuchOutput({ argv }: ProcessRequest): ToolError {
  return new ToolError(
    "LIMIT_EXCEEDED",
    `${argv[0]} wrote more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MB of output and was stopped`,
    { hint: "Make it print less, or write to a file." },
  );
}
