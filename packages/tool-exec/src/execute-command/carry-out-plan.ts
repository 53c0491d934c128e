import type { PipedCommand } from "@haft/core";
import type { CommandPlan, PlannedStep } from "../command-policy/command-plan.js";
import { type PreparedCommand, prepareStep } from "../command-policy/prepare-step.js";
import { carryOutXargs } from "./carry-out-xargs.js";
import { assertMayRun, type CarriedOut, type Carrying } from "./carrying.js";
import { commandDenied } from "./command-denied.js";
import { comparedByName, objectToGitContents } from "./git-contents.js";
import { refusal, riskOfGit, startsGit } from "./judge-command.js";

/** Runs the steps of a plan as bash would run the list, without bash. Every step is judged again before it starts. */
export async function carryOutPlan(plan: CommandPlan, carrying: Carrying): Promise<CarriedOut> {
  let status: CarriedOut = { exitCode: 0 };
  for (const step of plan.steps) {
    if (step.joiner === "&&" && status.exitCode !== 0) continue;
    if (step.joiner === "||" && status.exitCode === 0) continue;
    status = await carryOutStep(step, carrying);
    if (carrying.run.output().timedOut) return { exitCode: status.exitCode };
  }
  const isOneCommand = plan.steps.length === 1 && plan.steps[0]?.commands.length === 1;
  return isOneCommand ? status : { exitCode: status.exitCode };
}

async function carryOutStep(step: PlannedStep, carrying: Carrying): Promise<CarriedOut> {
  const { run, policy } = carrying;
  const { decision, commands } = await prepareStep(step, {
    policy,
    cwd: run.cwd,
    list: (path) => run.list(path),
  });
  assertMayRun(decision, carrying);
  assertRepositoryIsPlain(commands, carrying);
  assertContentsAreNamed(commands, carrying);
  const [first] = commands;
  const status =
    first?.kind === "cd"
      ? { exitCode: (await run.changeDirectory(first.argv[1] ?? ".")) ? 0 : 1 }
      : await pipe(commands, carrying);
  return step.negated ? { ...status, exitCode: status.exitCode === 0 ? 1 : 0 } : status;
}

async function pipe(commands: readonly PreparedCommand[], carrying: Carrying): Promise<CarriedOut> {
  const piped = commands.map((command) => pipedCommand(command, carrying));
  return commands.some(({ kind }) => kind === "xargs")
    ? carryOutXargs(piped, carrying)
    : carrying.run.pipe({ commands: piped });
}

/** The directory a step really runs in may be another repository than the one that was judged. */
function assertRepositoryIsPlain(commands: readonly PreparedCommand[], carrying: Carrying): void {
  const { run, host, isApproved } = carrying;
  const git = commands.find(({ argv }) => startsGit(argv));
  const reason = git === undefined || isApproved ? undefined : riskOfGit(run.cwd, host);
  if (reason === undefined) return;
  throw commandDenied({ verdict: "deny", reason, offending: git?.argv.join(" ") ?? "git" });
}

/** Whoever approved it, a sensitive file is not shown; what a name stands for may have changed since it was judged. */
function assertContentsAreNamed(commands: readonly PreparedCommand[], { run, host }: Carrying): void {
  for (const { argv } of commands) {
    const objection = objectToGitContents(argv, { host, cwd: run.cwd });
    if (objection !== undefined) throw commandDenied(refusal(objection, argv.join(" ")));
  }
}

function pipedCommand(
  { argv, environment, redirections }: PreparedCommand,
  carrying: Carrying,
): PipedCommand {
  const identity = needsIdentity(argv) ? identityFor(carrying) : {};
  const named = comparedByName(argv, { host: carrying.host, cwd: carrying.run.cwd });
  return { argv: named, env: { ...carrying.env, ...identity, ...environment }, redirections };
}

/** The hardening hides the user's own configuration, and with it who commits. */
function identityFor({ run, host }: Carrying): Readonly<Record<string, string>> {
  const keys = host.gitKeys(run.cwd) ?? [];
  return keys.includes("user.name") && keys.includes("user.email") ? {} : host.gitIdentity();
}

function needsIdentity(argv: readonly string[]): boolean {
  return startsGit(argv) && argv.includes("commit");
}
