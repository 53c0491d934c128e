import type { PipedCommand } from "@haft/core/capabilities";
import type { CommandPlan, PlannedStep } from "../command-policy/command-plan.js";
import { type PreparedCommand, prepareStep } from "../command-policy/prepare-step.js";
import { commandDenied } from "./command-denied.js";
import { executeXargs } from "./execute-xargs.js";
import { assertMayRun, type ExecutionContext, type ExecutionResult } from "./execution-context.js";
import { comparedByName, objectToGitContents } from "./git-contents.js";
import { gitIdentityIn } from "./git-identity.js";
import { refusal, riskOfGit } from "./judge-command.js";
import { startsGit } from "./starts-git.js";

/** Runs the steps of a plan like bash, without bash. Judges every step again before it starts. */
export async function executePlan(plan: CommandPlan, context: ExecutionContext): Promise<ExecutionResult> {
  let status: ExecutionResult = { exitCode: 0 };
  for (const step of plan.steps) {
    if (step.joiner === "&&" && status.exitCode !== 0) continue;
    if (step.joiner === "||" && status.exitCode === 0) continue;
    status = await executeStep(step, context);
    if (context.run.output().timedOut) return { exitCode: status.exitCode };
  }
  const isOneCommand = plan.steps.length === 1 && plan.steps[0]?.commands.length === 1;
  return isOneCommand ? status : { exitCode: status.exitCode };
}

async function executeStep(step: PlannedStep, context: ExecutionContext): Promise<ExecutionResult> {
  const { run, policy } = context;
  const { decision, commands } = await prepareStep(step, {
    policy,
    cwd: run.cwd,
    list: (path) => run.list(path),
  });
  assertMayRun(decision, context);
  await assertRepositoryIsPlain(commands, context);
  await assertContentsAreNamed(commands, context);
  const [first] = commands;
  const status =
    first?.kind === "cd"
      ? { exitCode: (await run.changeDirectory(first.argv[1] ?? ".")) ? 0 : 1 }
      : await pipe(commands, context);
  return step.negated ? { ...status, exitCode: status.exitCode === 0 ? 1 : 0 } : status;
}

async function pipe(
  commands: readonly PreparedCommand[],
  context: ExecutionContext,
): Promise<ExecutionResult> {
  const piped: PipedCommand[] = [];
  for (const command of commands) piped.push(await pipedCommand(command, context));
  return commands.some(({ kind }) => kind === "xargs")
    ? executeXargs(piped, context)
    : context.run.pipe({ commands: piped });
}

/** Checks the directory where a step really runs: it may be in another repository than the one that was judged. */
async function assertRepositoryIsPlain(
  commands: readonly PreparedCommand[],
  context: ExecutionContext,
): Promise<void> {
  const { run, host, isApproved } = context;
  const git = commands.find(({ argv }) => startsGit(argv));
  const reason = git === undefined || isApproved ? undefined : await riskOfGit(run.cwd, host);
  if (reason === undefined) return;
  throw commandDenied({ verdict: "deny", reason, offending: git?.argv.join(" ") ?? "git" }, context);
}

/** Sensitive files are never shown, even with approval, and names may mean something else since the judgement. */
async function assertContentsAreNamed(
  commands: readonly PreparedCommand[],
  context: ExecutionContext,
): Promise<void> {
  const { run, host } = context;
  for (const { argv } of commands) {
    const objection = await objectToGitContents(argv, { host, cwd: run.cwd });
    if (objection !== undefined) throw commandDenied(refusal(objection, argv.join(" ")), context);
  }
}

async function pipedCommand(
  { argv, environment, redirections }: PreparedCommand,
  context: ExecutionContext,
): Promise<PipedCommand> {
  const identity = needsIdentity(argv) ? await gitIdentityIn(context.run.cwd, context.host) : {};
  const named = await comparedByName(argv, { host: context.host, cwd: context.run.cwd });
  return { argv: named, env: { ...context.env, ...identity, ...environment }, redirections };
}

function needsIdentity(argv: readonly string[]): boolean {
  return startsGit(argv) && argv.includes("commit");
}
