import { ToolError } from "@haft/core";
import type { PipedCommand } from "@haft/core/capabilities";
import { planXargs } from "../command-policy/plan-xargs.js";
import { assertMayRun, type ExecutionContext, type ExecutionResult } from "./execution-context.js";

/**
 * Runs a pipeline with xargs. Paths from a pipe would escape every check if xargs itself ran, so its input is read
 * completely, and the commands it would start are judged and run one by one.
 */
export async function executeXargs(
  commands: readonly PipedCommand[],
  context: ExecutionContext,
): Promise<ExecutionResult> {
  let rest = commands;
  let input: string | undefined;
  for (;;) {
    const at = rest.findIndex(({ argv }) => argv[0] === "xargs");
    if (at === -1) return context.run.pipe({ commands: rest, ...(input !== undefined && { input }) });
    const xargs = rest[at] as PipedCommand;
    const text = await inputOf(rest.slice(0, at), xargs, { context, input });
    rest = rest.slice(at + 1);
    const done = await runBatches(xargs, text, { context, isLast: rest.length === 0 });
    if (rest.length === 0) return { exitCode: done.exitCode };
    input = done.collected;
  }
}

/** Returns everything xargs reads: from its redirected file, or from the preceding commands. */
async function inputOf(
  before: readonly PipedCommand[],
  xargs: PipedCommand,
  { context, input }: { context: ExecutionContext; input: string | undefined },
): Promise<string> {
  const file = xargs.redirections?.findLast(({ kind }) => kind === "read");
  const given = input === undefined ? {} : { input };
  if (file !== undefined) {
    if (before.length > 0) await context.run.pipe({ commands: before, ...given, collect: WHOLE });
    return collected(context, [{ argv: ["cat"], redirections: [file] }], {});
  }
  return before.length === 0 ? (input ?? "") : collected(context, before, given);
}

async function collected(
  { run }: ExecutionContext,
  commands: readonly PipedCommand[],
  given: { input?: string },
): Promise<string> {
  return (await run.pipe({ commands, ...given, collect: WHOLE })).collected ?? "";
}

async function runBatches(
  xargs: PipedCommand,
  text: string,
  { context, isLast }: { context: ExecutionContext; isLast: boolean },
): Promise<{ exitCode: number; collected: string }> {
  const { run, policy } = context;
  const batches = planXargs(xargs.argv, { text, policy, cwd: run.cwd });
  if (batches.length > MAX_BATCHES) throw tooManyBatches(batches.length);
  for (const { decision } of batches) assertMayRun(decision, context);
  const redirections = (xargs.redirections ?? []).filter(({ kind }) => kind !== "read");
  let output = "";
  let worst = 0;
  for (const { argv } of batches) {
    const command = { ...xargs, argv, redirections };
    const status = await run.pipe({ commands: [command], ...(isLast ? {} : { collect: WHOLE }) });
    output += status.collected ?? "";
    worst = Math.max(worst, xargsStatus(status.exitCode));
    if (worst > FAILED || run.output().timedOut) break;
  }
  return { exitCode: worst, collected: output };
}

/** Returns xargs's status for that of a command: 0, 123 for failed, 124 for 255, 125 for killed, 126 and 127. */
function xargsStatus(exitCode: number): number {
  if (exitCode === 0 || exitCode === 126 || exitCode === 127) return exitCode;
  if (exitCode === 255) return 124;
  return exitCode > 128 ? 125 : FAILED;
}

const FAILED = 123;
const MAX_BATCHES = 10_000;
const WHOLE = { maxBytes: 16 * 1024 * 1024 };

function tooManyBatches(count: number): ToolError {
  return new ToolError("LIMIT_EXCEEDED", `xargs would start ${count} commands`, {
    hint: `Pass more arguments at a time (-n); at most ${MAX_BATCHES} commands are started.`,
  });
}
