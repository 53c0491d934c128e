import {
  type CommandRunOptions,
  type ProcessOutcome,
  type ProcessRequest,
  type ProcessRunner,
  type Redact,
  ToolError,
} from "@haft/core";
import { type Environment, scrubbedEnvironment } from "../secrets/scrubbed-environment.js";
import { type CommandWorkspace, NodeCommandRun } from "./node-command-run.js";
import { findProgram, programDirectories } from "./program-path.js";
import { runProcess } from "./running-process.js";
import { stopProcessGroup } from "./stop-process-group.js";

export interface NodeProcessRunner extends ProcessRunner {
  /** Ends what commands have left behind. */
  dispose(): Promise<void>;
}

export interface ProcessRunnerOptions {
  readonly workspace: CommandWorkspace;
  /** The host's environment, of which a child sees only the harmless part. */
  readonly env: Environment;
  /** Where the whole of a long output is written; outside the workspace. */
  readonly logDirectory?: string;
  /** Takes secrets out of what is written there. */
  readonly redact?: Redact | undefined;
}

/**
 * Runs programs on this machine: argv only, no shell, inside the workspace, with a scrubbed
 * environment and bounded output. Which programs may run, and in what sandbox, is decided above it.
 */
export function nodeProcessRunner(options: ProcessRunnerOptions): NodeProcessRunner {
  const { workspace, env, logDirectory, redact } = options;
  const directories = programDirectories(env.PATH, workspace.root);
  const hostEnv = { ...env, PATH: directories.join(":") };
  const leftBehind = new Set<number>();
  const open = new Set<NodeCommandRun>();
  let running = 0;

  async function run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessOutcome> {
    const { path } = await workspace.locate(request.cwd ?? ".");
    const cwd = workspace.absolute(path);
    const program = findProgram(request.argv[0], directories, cwd);
    const launch = { program, cwd, env: scrubbedEnvironment(hostEnv, request.env), request };
    const { pid, ...outcome } = await runProcess(launch, signal);
    if (outcome.backgroundChild) leftBehind.add(pid);
    return outcome;
  }

  async function openRun(asked: CommandRunOptions, signal: AbortSignal): Promise<NodeCommandRun> {
    signal.throwIfAborted();
    const { path } = await workspace.locate(asked.cwd ?? ".");
    const onClosed = () => {
      if (open.delete(commandRun)) running -= 1;
    };
    const common = { workspace, directories, env: hostEnv, logDirectory, redact };
    const parts = { ...common, options: asked, signal, onClosed };
    const commandRun = new NodeCommandRun(parts, path === "" ? "." : path);
    open.add(commandRun);
    return commandRun;
  }

  return {
    async open(asked, signal) {
      if (running >= MAX_RUNNING) throw tooMany();
      running += 1;
      try {
        return await openRun(asked, signal);
      } catch (error) {
        running -= 1;
        throw error;
      }
    },
    async run(request, signal) {
      if (running >= MAX_RUNNING) throw tooMany();
      running += 1;
      try {
        return await run(request, signal);
      } finally {
        running -= 1;
      }
    },
    async dispose() {
      await Promise.all([...open].map((commandRun) => commandRun.close()));
      await Promise.all([...leftBehind].map((pid) => stopProcessGroup(pid)));
      leftBehind.clear();
    },
  };
}

const MAX_RUNNING = 8;

function tooMany(): ToolError {
  return new ToolError("LIMIT_EXCEEDED", `${MAX_RUNNING} commands are running already`, {
    hint: "Wait for one of them to end.",
  });
}
