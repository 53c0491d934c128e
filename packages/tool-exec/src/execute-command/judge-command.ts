import type { CommandHost } from "@haft/core";
import { argvOf, type CommandPlan } from "../command-policy/command-plan.js";
import type { CommandPolicy } from "../command-policy/command-policy.js";
import { type CommandDecision, decideArgv, decideCommand } from "../command-policy/decide-command.js";
import { isRiskyGitKey } from "../command-policy/git-hardening.js";
import { judgeAssignment } from "../command-policy/judge-argv.js";
import type { Objection } from "../command-policy/objection.js";
import { unwrapCommand } from "../command-policy/unwrap-command.js";
import { walkDirectories } from "../command-policy/walk-directories.js";
import type { ExecuteCommandArgs } from "./execute-command-schema.js";
import { objectToGitContents } from "./git-contents.js";

export interface Judging {
  readonly policy: CommandPolicy;
  readonly host: CommandHost;
}

/** The verdict on a call, the same whether it is asked for a proposal or before it runs. */
export function judgeCommand(
  { command, cwd, env }: Pick<ExecuteCommandArgs, "command" | "cwd" | "env">,
  judging: Judging,
): CommandDecision {
  const { policy } = judging;
  const decision =
    typeof command === "string" ? decideCommand(command, policy, cwd) : decideArgv(command, policy, cwd);
  if (decision.verdict === "deny") return decision;
  return (
    objectToEnvironment(env, policy, decision) ?? objectToRepositories(decision, judging, cwd) ?? decision
  );
}

/** Whether a program is git, also inside `timeout 5 git …`. */
export function startsGit(argv: readonly string[]): boolean {
  const wrapped = unwrapCommand(argv);
  return wrapped === undefined ? argv[0] === "git" : startsGit(argv.slice(wrapped.index));
}

/** Why git could start a program in a directory: a key of the repository's configuration, or nobody knows its keys. */
export function riskOfGit(directory: string, host: CommandHost): string | undefined {
  const keys = host.gitKeys(directory);
  if (keys === undefined) return "git does not tell what the repository's configuration sets";
  const key = keys.find(isRiskyGitKey);
  if (key === undefined) return undefined;
  return `the repository's configuration sets ${key}, which can make git start a program`;
}

function objectToEnvironment(
  env: Readonly<Record<string, string>> = {},
  policy: CommandPolicy,
  decision: CommandDecision,
): CommandDecision | undefined {
  for (const name of Object.keys(env)) {
    const objection = judgeAssignment(name, policy);
    if (objection === undefined) continue;
    const verdict = objection.level === "unlisted" ? policy.onUnlisted : objection.level;
    const refused = { verdict, reason: objection.reason, offending: `${name}=…` };
    return verdict === "deny" || decision.plan === undefined ? refused : { ...refused, plan: decision.plan };
  }
  return undefined;
}

function objectToRepositories(
  decision: CommandDecision,
  { host }: Judging,
  cwd: string,
): CommandDecision | undefined {
  if (decision.plan === undefined) return undefined;
  for (const { directory, text, argv } of gitCommands(decision.plan, cwd)) {
    const contents = objectToGitContents(argv, { host, cwd: directory });
    if (contents !== undefined) return refusal(contents, text);
    if (decision.verdict !== "allow") continue;
    const reason = riskOfGit(directory, host);
    if (reason === undefined) continue;
    return { verdict: "ask", reason, offending: text, plan: decision.plan };
  }
  return undefined;
}

/** The answer to what is not up for discussion. */
export function refusal({ reason, suggestion }: Objection, offending: string): CommandDecision {
  return { verdict: "deny", reason, offending, ...(suggestion !== undefined && { suggestion }) };
}

interface PlacedCommand {
  readonly directory: string;
  readonly text: string;
  readonly argv: readonly string[];
}

function gitCommands(plan: CommandPlan, cwd: string): readonly PlacedCommand[] {
  if (!plan.steps.some((step) => step.commands.some((command) => startsGit(argvOf(command))))) return [];
  const directories = walkDirectories(plan.steps, cwd) ?? [];
  return plan.steps.flatMap((step, index) =>
    step.commands
      .filter((command) => startsGit(argvOf(command)))
      .flatMap((command) => {
        const placed = { text: command.text, argv: argvOf(command) };
        return (directories[index] ?? [cwd]).map((directory) => ({ ...placed, directory }));
      }),
  );
}
