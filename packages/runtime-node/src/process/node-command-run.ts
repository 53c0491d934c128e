import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { Redact, WorkspaceStore } from "@haft/core";
import type {
  CommandOutput,
  CommandRun,
  CommandRunOptions,
  ListedName,
  PipelineRequest,
  PipelineStatus,
} from "@haft/core/capabilities";
import type { Environment } from "../secrets/scrubbed-environment.js";
import { CommandDirectory, NO_SUCH } from "./command-directory.js";
import { commandEnvironment } from "./command-environment.js";
import { OutputRecorder, type StreamName } from "./output-recorder.js";
import { type PipedLaunch, PipedProcesses } from "./piped-processes.js";
import { killTagged, TAG_NAME } from "./process-tag.js";
import { programIfAny } from "./program-path.js";
import { redirectionTable } from "./redirection-table.js";
import { GRACE_MS, isGroupAlive, stopProcessGroup } from "./stop-process-group.js";
import { WholeOutput } from "./whole-output.js";

export type CommandWorkspace = Pick<
  WorkspaceStore,
  "root" | "locate" | "absolute" | "list" | "stat" | "stream"
>;

interface CommandRunParts {
  readonly workspace: CommandWorkspace;
  readonly directories: readonly string[];
  readonly env: Environment;
  readonly logDirectory: string | undefined;
  readonly redact: Redact | undefined;
  readonly options: CommandRunOptions;
  readonly signal: AbortSignal;
  onClosed(): void;
}

/** Implements a CommandRun on this machine. */
export class NodeCommandRun implements CommandRun {
  readonly #parts: CommandRunParts;
  readonly #recorder: OutputRecorder;
  readonly #tag = randomUUID();
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #started = new Set<number>();
  readonly #directory: CommandDirectory;
  #current: PipedProcesses | undefined;
  #ended: "time" | "abort" | undefined;
  #stopping: Promise<unknown> | undefined;
  #isHeld = false;
  #closed: Promise<CommandOutput> | undefined;
  #leftBehind = false;
  #endedAt: number | undefined;

  constructor(parts: CommandRunParts, cwd: string) {
    const { options, signal, logDirectory, redact } = parts;
    this.#parts = parts;
    this.#directory = new CommandDirectory(parts.workspace, cwd);
    this.#recorder = new OutputRecorder({ logDirectory, redact, onOutput: options.onOutput });
    const { timeoutMs } = options;
    this.#timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#end("time"), timeoutMs);
    signal.addEventListener("abort", this.#aborted, { once: true });
  }

  get cwd(): string {
    return this.#directory.path;
  }

  async changeDirectory(path: string): Promise<boolean> {
    const reason = await this.#directory.change(path);
    if (reason !== undefined) this.#recorder.note(`cd: ${path}: ${reason}`);
    return reason === undefined;
  }

  list(path: string): Promise<readonly ListedName[]> {
    return this.#directory.list(path);
  }

  async pipe(request: PipelineRequest): Promise<PipelineStatus> {
    this.#parts.signal.throwIfAborted();
    if (this.#ended !== undefined) return { exitCode: ENDED };
    const missing = await this.#directory.missingFile(request);
    if (missing !== undefined) {
      this.#recorder.note(`${missing}: ${NO_SUCH}`);
      return { exitCode: 1 };
    }
    const launches = this.#launches(request);
    if (!Array.isArray(launches)) return launches as PipelineStatus;
    return this.#run(request, launches);
  }

  write(text: string): boolean {
    const input = this.#current?.input;
    if (input === undefined) return false;
    input.write(text);
    return true;
  }

  output(): CommandOutput {
    return {
      ...this.#recorder.result(),
      durationMs: Math.round((this.#endedAt ?? performance.now()) - this.#startedAt),
      timedOut: this.#ended === "time",
      leftBehind: this.#leftBehind,
    };
  }

  close(): Promise<CommandOutput> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #run(request: PipelineRequest, launches: readonly PipedLaunch[]): Promise<PipelineStatus> {
    const { workspace, options } = this.#parts;
    const { path } = await workspace.locate(this.cwd);
    const collector = request.collect === undefined ? undefined : new WholeOutput(request.collect.maxBytes);
    this.#parts.signal.throwIfAborted();
    if (this.#ended !== undefined) return { exitCode: ENDED };
    const pipeline = new PipedProcesses(launches, {
      cwd: workspace.absolute(path === "" ? "." : path),
      input: request.input ?? (options.interactive === true ? "open" : undefined),
      openFile: (file) => Readable.from(workspace.stream(this.#directory.resolve(file))),
      take: (chunk, stream) => this.#take(chunk, stream, collector),
    });
    this.#current = pipeline;
    for (const pid of pipeline.pids) this.#started.add(pid);
    try {
      const { exitCode, isHeld } = await pipeline.ended();
      this.#isHeld ||= isHeld;
      await this.#stopping;
      this.#parts.signal.throwIfAborted();
      return { exitCode, ...(collector === undefined ? {} : { collected: collector.text() }) };
    } finally {
      this.#current = undefined;
    }
  }

  #take(chunk: Buffer, stream: StreamName, collector: WholeOutput | undefined): void {
    if (collector === undefined || stream === "stderr") this.#recorder.push(chunk, stream);
    else collector.push(chunk);
  }

  #launches({ commands }: PipelineRequest): readonly PipedLaunch[] | PipelineStatus {
    const { directories, env, workspace } = this.#parts;
    const launches: PipedLaunch[] = [];
    for (const { argv, env: added, redirections } of commands) {
      const [name = ""] = argv;
      const program = programIfAny(name, directories, workspace.absolute(this.cwd));
      if (program === undefined) {
        this.#recorder.note(`${name.slice(0, 80)}: command not found`);
        return { exitCode: NOT_FOUND, notFound: name };
      }
      const full = { ...commandEnvironment(env, added), [TAG_NAME]: this.#tag };
      launches.push({ program, argv, env: full, table: redirectionTable(redirections) });
    }
    return launches;
  }

  #end(cause: "time" | "abort"): void {
    if (this.#ended !== undefined) return;
    this.#ended = cause;
    this.#stopping = this.#stop();
  }

  async #stop(): Promise<void> {
    const groups = [...this.#started].filter(isGroupAlive);
    const stopped = Promise.all(groups.map((pid) => stopProcessGroup(pid)));
    // Processes that left the group get no more time than those in it.
    await Promise.race([stopped, delay(GRACE_MS, undefined, { ref: false })]);
    const wereAny = killTagged(this.#tag);
    await stopped;
    if (wereAny) killTagged(this.#tag);
  }

  async #close(): Promise<CommandOutput> {
    clearTimeout(this.#timer);
    this.#parts.signal.removeEventListener("abort", this.#aborted);
    this.#endedAt = performance.now();
    await this.#stopping;
    const alive = [...this.#started].some(isGroupAlive);
    // Scanning every process is slow, so it happens only if one may be left.
    if (alive || this.#isHeld || this.#current !== undefined) {
      this.#leftBehind = true;
      await this.#stop();
    }
    this.#recorder.close();
    this.#parts.onClosed();
    return this.output();
  }

  readonly #aborted = (): void => this.#end("abort");
}

const NOT_FOUND = 127;
const ENDED = 143;
