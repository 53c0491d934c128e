import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { ToolError } from "@haft/core";
import type { StreamName } from "./output-recorder.js";
import type { RedirectionTable } from "./redirection-table.js";

export interface PipedLaunch {
  readonly program: string;
  readonly argv: readonly string[];
  readonly env: Record<string, string>;
  readonly table: RedirectionTable;
}

export interface PipelineIo {
  readonly cwd: string;
  /** What the first program reads; undefined for nothing, "open" to be written to later. */
  readonly input?: string | "open" | undefined;
  openFile(path: string): Readable;
  take(chunk: Buffer, stream: StreamName): void;
}

/**
 * Programs joined by pipes, each in a group of its own. The pipes run through this process, so that a
 * reader that ends closes the pipe of its writer, and nobody waits for a pipe that an orphan holds.
 */
export class PipedProcesses {
  readonly #children: ChildProcess[] = [];
  readonly #exits: Promise<number>[] = [];
  /** Settle when an output of the whole pipeline has ended. */
  readonly #outputs: Promise<void>[] = [];
  readonly #recorded: Readable[] = [];

  constructor(launches: readonly PipedLaunch[], io: PipelineIo) {
    for (const launch of launches) this.#start(launch, io);
    this.#children.forEach((child, index) => {
      const table = (launches[index] as PipedLaunch).table;
      this.#connectInput(child, table, index === 0 ? io : { ...io, input: undefined });
      this.#connectOutputs(child, table, this.#sinkAfter(index, launches, io));
    });
  }

  get pids(): readonly number[] {
    return this.#children.flatMap(({ pid }) => pid ?? []);
  }

  /** The input of the first program, where it has one that can be written to. */
  get input(): Writable | undefined {
    const stdin = this.#children[0]?.stdin;
    return stdin?.writable === true ? stdin : undefined;
  }

  /** Waits for every program, then a moment for what is still in the pipes. */
  async ended(): Promise<{ exitCode: number; isHeld: boolean }> {
    const codes = await Promise.all(this.#exits);
    const isHeld = await this.#drained();
    return { exitCode: codes.at(-1) ?? 0, isHeld };
  }

  #start({ program, argv, env, table }: PipedLaunch, { cwd, input }: PipelineIo): void {
    const isFirst = this.#children.length === 0;
    const reads = table.input === "input" ? !isFirst || input !== undefined : table.input !== "null";
    const child = spawn(program, argv.slice(1), {
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
    // A program that does not read its input closes the pipe; that is its business.
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
    this.#outputs.push(new Promise((resolve) => stream.once("close", () => resolve())));
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

  /** True when somebody still holds the pipes after every program has ended. */
  async #drained(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS, true);
    });
    const isHeld = await Promise.race([Promise.all(this.#outputs).then(() => false), late]);
    clearTimeout(timer);
    if (isHeld) for (const stream of this.#recorded) stream.destroy();
    return isHeld;
  }
}

interface Sink {
  takeOut(chunk: Buffer): void;
  takeErr(chunk: Buffer): void;
  /** The input of the next program; "closed" when it reads something else. */
  readonly next?: Writable | "closed";
}

const DRAIN_MS = 250;

/** Both outputs of a program into the input of the next, which ends when both have ended. */
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
  // Nobody reads any more: the writer must hear of it, as it would from a real pipe.
  target.once("close", () => {
    for (const source of sources) source.destroy();
  });
}

function exitCodeOf(child: ChildProcess, name: string): Promise<number> {
  const exit = new Promise<number>((resolve, reject) => {
    child.once("exit", (code, signal) => resolve(code ?? 128 + signalNumber(signal)));
    child.once("error", (cause: NodeJS.ErrnoException) =>
      reject(
        new ToolError("EXECUTION_ERROR", `${name} could not be started (${cause.code ?? cause.message})`, {
          cause,
        }),
      ),
    );
  });
  // Awaited together with the others; one that fails first must not count as unheard.
  exit.catch(() => {});
  return exit;
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : (constants.signals[signal] ?? 0);
}
