import {
  argvOf,
  type CommandPlan,
  literalWord,
  type PlannedCommand,
  type PlannedStep,
} from "./command-plan.js";
import type { CommandPolicy } from "./command-policy.js";
import { type JudgingContext, judgeArgv, judgeAssignment, NOT_LISTED } from "./judge-argv.js";
import type { NetworkGrant } from "./network-needs.js";
import { deny, firstObjection, type Objection, unlisted } from "./objection.js";
import { objectToOutsideTarget } from "./outside-targets.js";
import { parseCommand } from "./parse-command.js";
import { objectToPath, type PathScope, type PathVerdict } from "./path-check.js";
import { isExactProgram, listedExactly } from "./programs/exact-programs.js";
import { suggestTool } from "./suggest-tool.js";
import { reachableDirectories, walkDirectories } from "./walk-directories.js";

export interface CommandDecision {
  /** "box" runs it confined without asking, then asks about its changes. */
  readonly verdict: "allow" | "box" | "ask" | "deny";
  readonly reason: string;
  /** The simple command that caused the objection, as written. The whole text if there is none. */
  readonly offending: string;
  readonly suggestion?: string;
  /** Set if only the settings object. `entry` is what to add to the allow list, if that helps. */
  readonly unlisted?: { readonly entry?: string };
  /** The network access while it runs. */
  readonly network?: NetworkGrant;
  /** How to run it without a shell. Missing if it needs one, or must not run. */
  readonly plan?: CommandPlan;
}

/** Decides about a command line. Never allows one that was not parsed completely. */
export function decideCommand(text: string, policy: CommandPolicy, cwd = "."): CommandDecision {
  const parsed = parseCommand(text);
  if (parsed.kind === "refused")
    return decisionFor({ objection: parsed.objection, offending: parsed.offending }, policy);
  if (parsed.kind === "plan") return decidePlan(parsed.plan, policy, cwd);
  const { construct, offending, suggestion, fragments } = parsed;
  const scope = certainScope(policy, reachableDirectories(fragments, cwd) ?? [cwd]);
  const inner = fragments.flatMap((fragment) => objectToFragment(fragment, { policy, scope }));
  const objection = unlisted(
    `${construct} is outside what can be checked and run without a shell`,
    suggestion ?? "run_code",
  );
  return decisionFor(strongest([...inner, { objection, offending }], policy), policy);
}

/** Decides about separate arguments, to which no shell syntax applies. */
export function decideArgv(argv: readonly string[], policy: CommandPolicy, cwd = "."): CommandDecision {
  const text = argv.join(" ");
  const command = { text, words: argv.map(literalWord), assignments: [], redirections: [] };
  if (argv.some((word) => word.includes("\0"))) {
    return decisionFor({ objection: deny("an argument contains NUL"), offending: text }, policy);
  }
  return decidePlan({ text, steps: [{ joiner: ";", negated: false, commands: [command] }] }, policy, cwd);
}

/** Decides about a plan. Called again after globs are expanded, when the real arguments are known. */
export function decidePlan(plan: CommandPlan, policy: CommandPolicy, cwd = "."): CommandDecision {
  const directories = walkDirectories(plan.steps, cwd);
  if (directories === undefined) {
    return decisionFor({ objection: deny("too many cd to follow"), offending: plan.text }, policy);
  }
  const found = plan.steps.flatMap((step, index) =>
    objectToStep(step, {
      policy,
      scope: { check: policy.checkPath, directories: directories[index] ?? [cwd] },
    }),
  );
  if (found.length > 0)
    return { ...decisionFor(strongest(found, policy), policy), ...planUnlessDenied(found, plan, policy) };
  return { verdict: "allow", reason: "every command is allowed", offending: plan.text, plan };
}

interface Finding {
  readonly objection: Objection;
  readonly offending: string;
}

function objectToStep(step: PlannedStep, given: { policy: CommandPolicy; scope: PathScope }): Finding[] {
  return step.commands.flatMap((command, index) => {
    const hasInput = index > 0 || command.redirections.some((redirection) => redirection.kind === "read");
    const context: JudgingContext = { ...given, hasInput, depth: 0 };
    const objection = objectToCommand(command, context) ?? objectToPipedCd(step, command);
    return objection === undefined ? [] : [{ objection, offending: command.text }];
  });
}

function objectToCommand(command: PlannedCommand, context: JudgingContext): Objection | undefined {
  const objection = judgeArgv(argvOf(command), context);
  if (objection?.level === "deny") return objection;
  return (
    firstObjection(command.writes ?? [], (target) => objectToOutsideTarget(target, context.scope)) ??
    objection ??
    firstObjection(command.assignments, ({ name }) => judgeAssignment(name, context.policy)) ??
    firstObjection(command.redirections, (redirection) =>
      redirection.kind === "read" ? objectToPath(redirection.path, context.scope) : undefined,
    )
  );
}

function objectToPipedCd(step: PlannedStep, command: PlannedCommand): Objection | undefined {
  const isPiped = step.commands.length > 1 && command.words[0]?.value === "cd";
  return isPiped ? unlisted("cd in a pipe changes nothing") : undefined;
}

// A command that needs a shell is judged piece by piece, and only certain denials count.
function objectToFragment(
  fragment: PlannedCommand,
  given: Pick<JudgingContext, "policy" | "scope">,
): Finding[] {
  const objection = objectToCommand(fragment, { ...given, hasInput: true, depth: 0 });
  return objection?.level === "deny" ? [{ objection, offending: fragment.text }] : [];
}

/** A path counts as outside only if it is from every directory that a fragment may run in. */
function certainScope({ checkPath }: CommandPolicy, directories: readonly string[]): PathScope {
  return {
    directories: directories.slice(0, 1),
    check: (path) => {
      const verdicts = directories.map((directory) => checkPath(path, directory));
      return verdicts.find((verdict) => verdict === "sensitive") ?? verdicts.find(isInside) ?? "outside";
    },
  };
}

function isInside(verdict: PathVerdict): boolean {
  return verdict === "inside";
}

/** Returns the strictest verdict; among equals the one that the fewest settings lift, then the first. */
function strongest(found: readonly Finding[], policy: CommandPolicy): Finding {
  const verdicts = ["deny", "ask", "box"];
  const levels = ["deny", "beyond", "unlisted", "ask"];
  const rank = ({ objection }: Finding) =>
    verdicts.indexOf(verdictOf(objection, policy)) * levels.length + levels.indexOf(objection.level);
  const [first] = [...found].sort((left, right) => rank(left) - rank(right));
  return first ?? { objection: deny("nothing to run"), offending: "" };
}

function planUnlessDenied(
  found: readonly Finding[],
  plan: CommandPlan,
  policy: CommandPolicy,
): { plan?: CommandPlan } {
  return verdictOf(strongest(found, policy).objection, policy) === "deny" ? {} : { plan };
}

function decisionFor({ objection, offending }: Finding, policy: CommandPolicy): CommandDecision {
  const { reason } = objection;
  const suggestion = objection.suggestion ?? suggestTool(offending.split(/\s+/));
  return {
    verdict: verdictOf(objection, policy),
    reason,
    offending,
    ...((objection.level === "unlisted" || objection.level === "beyond") && {
      unlisted: listing(objection, offending),
    }),
    ...(suggestion !== undefined && { suggestion }),
  };
}

/**
 * Returns the entry for the allow list: a single-purpose program by name, otherwise the command. Programs that run what
 * they are given need all of their arguments in it.
 */
function listing({ level, reason }: Objection, offending: string): { entry?: string } {
  const [program = "", subcommand = ""] = offending.split(/\s+/);
  if (level === "unlisted" && reason !== NOT_LISTED && reason !== listedExactly(program)) return {};
  if (isExactProgram(program)) return /^[\w@%+=:,./ -]+$/.test(offending) ? { entry: offending } : {};
  const hasCommands = /^(?:git|cargo|go|npm|pnpm|yarn|npx|docker|kubectl|dotnet|mvn|gradle|make|deno|bun)$/;
  const isCommand = hasCommands.test(program) && /^[a-z][\w:-]*$/.test(subcommand);
  return { entry: isCommand ? `${program} ${subcommand}` : program };
}

/** Converts an objection to a verdict under these settings. */
export function verdictOf({ level }: Objection, { onUnlisted }: CommandPolicy): "box" | "ask" | "deny" {
  if (level === "beyond") return onUnlisted === "deny" ? "deny" : "ask";
  return level === "unlisted" ? onUnlisted : level;
}
