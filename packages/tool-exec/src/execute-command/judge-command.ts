import type { AvailableTools, CommandHost, UrlPolicy } from "@haft/core/capabilities";
import { argvOf, type CommandPlan } from "../command-policy/command-plan.js";
import type { CommandPolicy } from "../command-policy/command-policy.js";
import {
  type CommandDecision,
  decideArgv,
  decideCommand,
  decidePlan,
  verdictOf,
} from "../command-policy/decide-command.js";
import { gitCallOf } from "../command-policy/git-call.js";
import { isRiskyGitKey } from "../command-policy/git-hardening.js";
import { gitWriteOf, takesWholeTree } from "../command-policy/git-writes.js";
import { judgeAssignment } from "../command-policy/judge-argv.js";
import { deny, type Objection } from "../command-policy/objection.js";
import { hasOption } from "../command-policy/program-rule.js";
import { unwrapCommand } from "../command-policy/unwrap-command.js";
import { walkDirectories } from "../command-policy/walk-directories.js";
import { objectBesideGit } from "./beside-git.js";
import type { ExecuteCommandArgs } from "./execute-command-schema.js";
import { expandGitWords } from "./expand-git-words.js";
import { type GitPlace, objectToGitContents } from "./git-contents.js";
import { judgeNetwork } from "./judge-network.js";
import { judgePorts } from "./judge-ports.js";
import { startsGit } from "./starts-git.js";

export interface Judging {
  readonly policy: CommandPolicy;
  readonly host: CommandHost;
  /** Whether commands run in a box on this machine. */
  readonly hasBox: boolean;
  /** Alternatives that a refusal may suggest. */
  readonly tools: AvailableTools;
  /** The host rules of the web configuration. */
  readonly urls: UrlPolicy;
}

/** Returns the verdict on a call. It is the same for a proposal and right before the call runs. */
export async function judgeCommand(
  args: Pick<ExecuteCommandArgs, "command" | "cwd" | "env" | "network" | "ports">,
  judging: Judging,
): Promise<CommandDecision> {
  const { command, cwd, env } = args;
  const { policy } = judging;
  const written =
    typeof command === "string" ? decideCommand(command, policy, cwd) : decideArgv(command, policy, cwd);
  const decision = await withGitPatterns(written, judging, cwd);
  if (decision.verdict === "deny") return decision;
  const judged =
    objectToEnvironment(env, policy, decision) ??
    (await objectToRepositories(decision, judging, cwd)) ??
    decision;
  return judgePorts(args, await judgeNetwork(args, judged, judging), judging);
}

/**
 * Judges the arguments that git really gets. Without a box, patterns are expanded and judged step by step at run
 * time.
 */
async function withGitPatterns(
  decision: CommandDecision,
  { policy, host }: Judging,
  cwd: string,
): Promise<CommandDecision> {
  if (decision.plan === undefined || decision.verdict === "deny" || !(await host.hasBox())) return decision;
  const plan = await expandGitWords(decision.plan, cwd, host);
  return plan === decision.plan ? decision : decidePlan(plan, policy, cwd);
}

/** Returns why git could start a program in a directory: a key of the repository's configuration, or unknown keys. */
export async function riskOfGit(directory: string, host: CommandHost): Promise<string | undefined> {
  const keys = await host.gitKeys(directory);
  if (keys === undefined) return "git does not report the repository's configuration";
  const key = keys.find(isRiskyGitKey);
  if (key === undefined) return undefined;
  return `the repository's configuration sets ${key}, which can make git start a program`;
}

/** This form enters nested repositories with unchecked configuration, and no option prevents it. */
function riskOfSubmodules(argv: readonly string[]): string | undefined {
  const call = gitCallOf(argv);
  const isEntering = call?.subcommand === "describe" && hasOption(call.read, "--dirty", "--broken");
  return isEntering ? "git describe --dirty runs what nested repositories configure" : undefined;
}

function objectToEnvironment(
  env: Readonly<Record<string, string>> = {},
  policy: CommandPolicy,
  decision: CommandDecision,
): CommandDecision | undefined {
  for (const name of Object.keys(env)) {
    const objection = judgeAssignment(name, policy);
    if (objection === undefined) continue;
    const verdict = verdictOf(objection, policy);
    const refused = { verdict, reason: objection.reason, offending: `${name}=…` };
    return verdict === "deny" || decision.plan === undefined ? refused : { ...refused, plan: decision.plan };
  }
  return undefined;
}

async function objectToRepositories(
  decision: CommandDecision,
  { host, hasBox, policy }: Judging,
  cwd: string,
): Promise<CommandDecision | undefined> {
  if (decision.plan === undefined) return undefined;
  const gits = gitCommands(decision.plan, cwd);
  // A verdict of "box" hides the repository from the whole line.
  const isShown = gits.length > 0 && hasBox && decision.verdict !== "box";
  const beside = isShown ? await objectBesideGit({ plan: decision.plan, cwd, policy, host }) : undefined;
  if (beside !== undefined) return refusal(beside.objection, beside.text);
  for (const { directory, text, argv } of gits) {
    const objection =
      (await objectToPlace(directory, host)) ??
      (await objectToGitContents(argv, { host, cwd: directory })) ??
      (hasBox ? await objectToHiddenFiles(argv, { host, cwd: directory }) : undefined);
    if (objection !== undefined) return refusal(objection, text);
    // In the box, the programs that the configuration names run in the box too.
    if (decision.verdict !== "allow" || hasBox) continue;
    const reason = (await riskOfGit(directory, host)) ?? riskOfSubmodules(argv);
    if (reason === undefined) continue;
    return { verdict: "ask", reason, offending: text, plan: decision.plan };
  }
  return undefined;
}

async function objectToPlace(directory: string, host: CommandHost): Promise<Objection | undefined> {
  if (!(await host.gitIsElsewhere(directory))) return undefined;
  return deny(
    "the repository lies outside the workspace",
    "open the folder that has the repository as the workspace",
  );
}

/** Objects because git would take a file that the box hides for a changed one. */
async function objectToHiddenFiles(
  argv: readonly string[],
  { host, cwd }: GitPlace,
): Promise<Objection | undefined> {
  const wrapped = unwrapCommand(argv);
  if (wrapped !== undefined) return objectToHiddenFiles(argv.slice(wrapped.index), { host, cwd });
  if (gitWriteOf(argv) === undefined || !takesWholeTree(argv)) return undefined;
  const tracked = await host.gitTrackedNames(cwd);
  if (tracked === undefined)
    return deny(
      "git does not list which files the repository tracks, and some may be hidden here",
      NAMED_ONLY,
    );
  const hidden = tracked.find((name) => host.judgePath(name, ".") === "sensitive");
  if (hidden === undefined) return undefined;
  return deny(
    `the repository tracks ${hidden}, which is hidden here, so git would record it as changed`,
    NAMED_ONLY,
  );
}

const NAMED_ONLY = "git add PATH and git commit -m MESSAGE, which take the named files only";

/** Denies without the possibility of approval. */
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
