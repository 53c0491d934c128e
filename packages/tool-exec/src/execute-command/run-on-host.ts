import type { CommandRun, ProcessRunner } from "@haft/core/capabilities";
import type { CommandDecision } from "../command-policy/decide-command.js";
import type { BackgroundRun } from "../process/background-commands.js";
import { NewOutput } from "../process/new-output.js";
import { noSuchProgram, resultOf } from "./command-result.js";
import type { ExecuteCommandArgs, ExecuteCommandResult } from "./execute-command-schema.js";
import { executePlan } from "./execute-plan.js";
import type { ExecutionContext, ExecutionResult } from "./execution-context.js";
import type { Judging } from "./judge-command.js";
import { commandTimedOut } from "./timed-out.js";

export interface DecidedCommand {
  readonly decision: CommandDecision;
  readonly judging: Judging;
}

interface HostContext {
  readonly processes: ProcessRunner;
  readonly signal: AbortSignal;
  warn(message: string): void;
  report(progress: { readonly message: string }): void;
}

/**
 * Runs a command on a machine without a box: listed ones as hardened arguments without a shell, approved ones as the
 * person saw them. Its changes are not recorded.
 */
export async function runOnHost(
  args: ExecuteCommandArgs,
  decided: DecidedCommand,
  { processes, signal, report, warn }: HostContext,
): Promise<ExecuteCommandResult> {
  const onOutput = (chunk: string) => report({ message: chunk });
  const run = await processes.open({ cwd: args.cwd, timeoutMs: args.timeout * 1000, onOutput }, signal);
  try {
    const { exitCode, notFound } = await execute(args, decided, run);
    const output = await run.close();
    if (output.timedOut) throw commandTimedOut(args, output);
    if (notFound !== undefined) throw noSuchProgram(notFound);
    if (output.leftBehind)
      warn("processes that outlived the command were ended; use background: true to keep one running");
    return { ...resultOf(exitCode, output), tier: "host" };
  } finally {
    await run.close();
  }
}

/** A command that is ready to run in the background. The caller starts it. */
export interface ReadyCommand {
  readonly command: string;
  readonly run: BackgroundRun;
  readonly output: NewOutput;
  readonly life: AbortController;
  /** Starts it and settles with its exit code. Rejects if it cannot be started. */
  execute(): Promise<number>;
  /** Settles once it is running. */
  readonly started: Promise<void>;
}

/** Opens a command that outlives its call, on a machine without a box. */
export async function openOnHost(
  args: ExecuteCommandArgs,
  decided: DecidedCommand,
  { processes }: HostContext,
): Promise<ReadyCommand> {
  const life = new AbortController();
  const output = new NewOutput();
  const onOutput = (chunk: string) => output.push(chunk);
  const run = await processes.open({ cwd: args.cwd, interactive: true, onOutput }, life.signal);
  return {
    command: textOf(args),
    run,
    output,
    life,
    started: Promise.resolve(),
    execute: async () => (await execute(args, decided, run)).exitCode,
  };
}

function execute(
  args: ExecuteCommandArgs,
  { decision, judging }: DecidedCommand,
  run: CommandRun,
): Promise<ExecutionResult> {
  const env = args.env ?? {};
  if (decision.plan === undefined)
    return run.pipe({ commands: [{ argv: ["bash", "-c", textOf(args)], env }] });
  const context: ExecutionContext = { ...judging, run, isApproved: decision.verdict === "ask", env };
  return executePlan(decision.plan, context);
}

export function textOf({ command }: ExecuteCommandArgs): string {
  return typeof command === "string" ? command : command.join(" ");
}
