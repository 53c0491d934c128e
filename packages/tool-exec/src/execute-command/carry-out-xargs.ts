import { type PipedCommand, ToolError } from "@haft/core";
import { planXargs } from "../command-policy/plan-xargs.js";
import { assertMayRun, type CarriedOut, type Carrying } from "./carrying.js";

/**
 * A pipeline with xargs in it. What arrives through a pipe would escape every check if xargs itself were
 * started, so its input is taken whole, and the commands it would start are judged and run one by one.
 */
export async function carryOutXargs(
  commands: readonly PipedCommand[],
  carrying: Carrying,
): Promise<CarriedOut> {
  let rest = commands;
  let input: string | undefined;
  for (;;) {
    const at = rest.findIndex(({ argv }) => argv[0] === "xargs");
    if (at === -1) return carrying.run.pipe({ commands: rest, ...(input !== undefined && { input }) });
    const xargs = rest[at] as PipedCommand;
    const text = await inputOf(rest.slice(0, at), xargs, { carrying, input });
    rest = rest.slice(at + 1);
    const done = await runBatches(xargs, text, { carrying, isLast: rest.length === 0 });
    if (rest.length === 0) return { exitCode: done.exitCode };
    input = done.collected;
  }
}

/** All that xargs reads: from the file it is redirected from, or from the commands before it. */
async function inputOf(
  before: readonly PipedCommand[],
  xargs: PipedCommand,
  { carrying, input }: { carrying: Carrying; input: string | undefined },
): Promise<string> {
  const file = xargs.redirections?.findLast(({ kind }) => kind === "read");
  const given = input === undefined ? {} : { input };
  if (file !== undefined) {
    if (before.length > 0) await carrying.run.pipe({ commands: before, ...given, collect: WHOLE });
    return collected(carrying, [{ argv: ["cat"], redirections: [file] }], {});
  }
  return before.length === 0 ? (input ?? "") : collected(carrying, before, given);
}

async function collected(
  { run }: Carrying,
  commands: readonly PipedCommand[],
  given: { input?: string },
): Promise<string> {
  return (await run.pipe({ commands, ...given, collect: WHOLE })).collected ?? "";
}

async function runBatches(
  xargs: PipedCommand,
  text: string,
  { carrying, isLast }: { carrying: Carrying; isLast: boolean },
): Promise<{ exitCode: number; collected: string }> {
  const { run, policy } = carrying;
  const batches = planXargs(xargs.argv, { text, policy, cwd: run.cwd });
  if (batches.length > MAX_BATCHES) throw tooManyBatches(batches.length);
  for (const { decision } of batches) assertMayRun(decision, carrying);
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

/** What xargs makes of the status of a command: 0, 123 for failed, 124 for 255, 125 for killed, 126 and 127. */
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
    hint: `Give it more arguments at a time (-n); at most ${MAX_BATCHES} commands are started.`,
  });
}
