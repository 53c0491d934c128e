import { dirname } from "node:path";
import { type Redact, ToolError } from "@haft/core";
import type {
  CommandRunOptions,
  ProcessOutcome,
  ProcessRequest,
  ProcessRunner,
} from "@haft/core/capabilities";
import { type Environment, scrubbedEnvironment } from "../secrets/scrubbed-environment.js";
import { type CommandWorkspace, NodeCommandRun } from "./node-command-run.js";
import { findProgram, programDirectories } from "./program-path.js";
import { runProcess } from "./running-process.js";
import { stopProcessGroup } from "./stop-process-group.js";

export interface NodeProcessRunner extends ProcessRunner {
  /** Kills processes that commands have left behind. */
  dispose(): Promise<void>;
}

export interface ProcessRunnerOptions {
  readonly workspace: CommandWorkspace;
  /** The host's environment. Children get only its harmless part. */
  readonly env: Environment;
  /** Directory for the full text of long outputs; outside the workspace. */
  readonly logDirectory?: string;
  /** Redacts secrets before output is written there. */
  readonly redact?: Redact | undefined;
}

/**
 * Runs programs on this machine: argv only, no shell, inside the workspace, with a scrubbed environment and bounded
 * output. Callers decide which programs may run, and in which sandbox.
 */
export function nodeProcessRunner(options: ProcessRunnerOptions): NodeProcessRunner {
  return new Runner(options);
}

class Runner implements NodeProcessRunner {
  readonly #options: ProcessRunnerOptions;
  readonly #directories: readonly string[];
  readonly #env: Environment;
  readonly #leftBehind = new Set<number>();
  readonly #open = new Set<NodeCommandRun>();
  #running = 0;

  constructor(options: ProcessRunnerOptions) {
    this.#options = options;
    this.#directories = programDirectories(options.env.PATH, options.workspace.root);
    this.#env = {
      ...options.env,
      PATH: this.#directories.join(":"),
      // Git does not search for a repository above the workspace.
      GIT_CEILING_DIRECTORIES: dirname(options.workspace.root),
    };
  }

  async open(asked: CommandRunOptions, signal: AbortSignal): Promise<NodeCommandRun> {
    this.#count();
    try {
      return await this.#openRun(asked, signal);
    } catch (error) {
      this.#running -= 1;
      throw error;
    }
  }

  async run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessOutcome> {
    this.#count();
    try {
      return await this.#runOne(request, signal);
    } finally {
      this.#running -= 1;
    }
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#open].map((commandRun) => commandRun.close()));
    await Promise.all([...this.#leftBehind].map((pid) => stopProcessGroup(pid)));
    this.#leftBehind.clear();
  }

  #count(): void {
    if (this.#running >= MAX_RUNNING) throw tooMany();
    this.#running += 1;
  }

  async #openRun(asked: CommandRunOptions, signal: AbortSignal): Promise<NodeCommandRun> {
    const { workspace, logDirectory, redact } = this.#options;
    signal.throwIfAborted();
    const { path } = await workspace.locate(asked.cwd ?? ".");
    const onClosed = () => {
      if (this.#open.delete(commandRun)) this.#running -= 1;
    };
    const common = { workspace, directories: this.#directories, env: this.#env, logDirectory, redact };
    const parts = { ...common, options: asked, signal, onClosed };
    const commandRun = new NodeCommandRun(parts, path === "" ? "." : path);
    this.#open.add(commandRun);
    return commandRun;
  }

  async #runOne(request: ProcessRequest, signal: AbortSignal): Promise<ProcessOutcome> {
    const { workspace } = this.#options;
    const { path } = await workspace.locate(request.cwd ?? ".");
    const cwd = workspace.absolute(path);
    const program = findProgram(request.argv[0], this.#directories, cwd);
    const launch = { program, cwd, env: scrubbedEnvironment(this.#env, request.env), request };
    const { pid, ...outcome } = await runProcess(launch, signal);
    if (outcome.backgroundChild) this.#leftBehind.add(pid);
    return outcome;
  }
}

const MAX_RUNNING = 8;

function tooMany(): ToolError {
  return new ToolError("LIMIT_EXCEEDED", `${MAX_RUNNING} commands are running already`, {
    hint: "Wait for one of them to end.",
  });
}
