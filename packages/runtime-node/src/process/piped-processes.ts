import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { drainStreams } from "./drain-streams.js";
import type { StreamName } from "./output-recorder.js";
import type { RedirectionTable } from "./redirection-table.js";
import { notStarted, startProcess } from "./start-process.js";
import { stopProcessGroup } from "./stop-process-group.js";

export interface PipedLaunch {
  readonly program: string;
  readonly argv: readonly string[];
  readonly env: Record<string, string>;
  readonly table: RedirectionTable;
}

interface PipelineIo {
  readonly cwd: string;
  /** The input of the first program. Undefined for none, "open" to write it later. */
  readonly input?: string | "open" | undefined;
  openFile(path: string): Readable;
  take(chunk: Buffer, stream: StreamName): void;
}

/**
 * Programs joined by pipes, each in its own process group. The pipes run through this process, so a reader that ends
 * closes its writer's pipe, and an orphan that holds a pipe blocks nothing.
 */
export class PipedProcesses {
  readonly #children: ChildProcess[] = [];
  readonly #exits: Promise<number>[] = [];
  /** The outputs of the whole pipeline. */
  readonly #recorded: Readable[] = [];

  constructor(launches: readonly PipedLaunch[], io: PipelineIo) {
    this.#startAll(launches, io);
    this.#children.forEach((child, index) => {
      const table = (launches[index] as PipedLaunch).table;
      this.#connectInput(child, table, index === 0 ? io : { ...io, input: undefined });
      this.#connectOutputs(child, table, this.#sinkAfter(index, launches, io));
    });
  }

  get pids(): readonly number[] {
    return this.#children.flatMap(({ pid }) => pid ?? []);
  }

  /** The writable input of the first program, if it has one. */
  get input(): Writable | undefined {
    const stdin = this.#children[0]?.stdin;
    return stdin?.writable === true ? stdin : undefined;
  }

  /** Waits for every program, then briefly for data still in the pipes. */
  async ended(): Promise<{ exitCode: number; isHeld: boolean }> {
    const codes = await Promise.all(this.#exits);
    const isHeld = await this.#drained();
    return { exitCode: codes.at(-1) ?? 0, isHeld };
  }

  /** Starts all or nothing: ends a pipeline with a missing part. */
  #startAll(launches: readonly PipedLaunch[], io: PipelineIo): void {
    try {
      for (const launch of launches) this.#start(launch, io);
    } catch (error) {
      for (const pid of this.pids) void stopProcessGroup(pid);
      throw error;
    }
  }

  #start({ program, argv, env, table }: PipedLaunch, { cwd, input }: PipelineIo): void {
    const isFirst = this.#children.length === 0;
    const reads = table.input === "input" ? !isFirst || input !== undefined : table.input !== "null";
    const child = startProcess({
      program,
      args: argv.slice(1),
      argv0: argv[0],
      cwd,
      env,
      detached: true,
      shell: false,
      stdio: [
        reads ? "pipe" : "ignore",
        table.out === "null" ? "ignore" : "pipe",
        table.err === "null" ? "ignore" : "pipe",
      ],
    });
    this.#children.push(child);
    this.#exits.push(exitCodeOf(child, argv[0] ?? program));
  }

  #connectInput(child: ChildProcess, table: RedirectionTable, io: PipelineIo): void {
    const { stdin } = child;
    // A program that does not read its input closes the pipe, which is not an error.
    stdin?.on("error", () => {});
    if (stdin === null) return;
    if (typeof table.input === "object") {
      const file = io.openFile(table.input.file);
      file.on("error", () => stdin.end());
      file.pipe(stdin);
    } else if (io.input !== undefined && io.input !== "open") stdin.end(io.input);
  }

  #connectOutputs(child: ChildProcess, table: RedirectionTable, sink: Sink): void {
    const streams = [
      [child.stdout, table.out],
      [child.stderr, table.err],
    ] as const;
    const piped: Readable[] = [];
    for (const [stream, destination] of streams) {
      if (stream === null) continue;
      stream.on("error", () => {});
      if (destination === "out" && sink.next !== undefined) piped.push(stream);
      else this.#record(stream, destination === "out" ? sink.takeOut : sink.takeErr);
    }
    if (sink.next === undefined) return;
    if (sink.next === "closed") for (const stream of piped) stream.destroy();
    else join(piped, sink.next);
  }

  #record(stream: Readable, take: (chunk: Buffer) => void): void {
    this.#recorded.push(stream);
    stream.on("data", take);
  }

  #sinkAfter(index: number, launches: readonly PipedLaunch[], io: PipelineIo): Sink {
    const takeErr = (chunk: Buffer) => io.take(chunk, "stderr");
    const takeOut = (chunk: Buffer) => io.take(chunk, "stdout");
    if (index === launches.length - 1) return { takeOut, takeErr };
    const stdin = this.#children[index + 1]?.stdin;
    const reads = launches[index + 1]?.table.input === "input" && stdin != null;
    return { takeOut, takeErr, next: reads ? stdin : "closed" };
  }

  /** Returns true if a process still holds the pipes after every program has ended. */
  async #drained(): Promise<boolean> {
    const isHeld = await drainStreams(this.#recorded);
    if (isHeld) for (const stream of this.#recorded) stream.destroy();
    return isHeld;
  }
}

interface Sink {
  takeOut(chunk: Buffer): void;
  takeErr(chunk: Buffer): void;
  /** The input of the next program. "closed" if it reads something else. */
  readonly next?: Writable | "closed";
}

/** Pipes both outputs of a program into the input of the next, and ends it when both have ended. */
function join(sources: readonly Readable[], target: Writable): void {
  let open = sources.length;
  if (open === 0) target.end();
  for (const source of sources) {
    source.pipe(target, { end: false });
    source.once("close", () => {
      open -= 1;
      if (open === 0) target.end();
    });
  }
  // The reader has closed: close the writer, as a real pipe would.
  target.once("close", () => {
    for (const source of sources) source.destroy();
  });
}

function exitCodeOf(child: ChildProcess, name: string): Promise<number> {
  const exit = new Promise<number>((resolve, reject) => {
    child.once("exit", (code, signal) => resolve(code ?? 128 + signalNumber(signal)));
    child.once("error", (cause) => reject(notStarted(name, cause)));
  });
  // Awaited together with the others; an early failure must not count as an unhandled rejection.
  exit.catch(() => {});
  return exit;
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : (constants.signals[signal] ?? 0);
}
