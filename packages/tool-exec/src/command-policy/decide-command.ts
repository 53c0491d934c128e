import {
  argvOf,
  type CommandPlan,
  literalWord,
  type PlannedCommand,
  type PlannedStep,
} from "./command-plan.js";
import type { CommandPolicy } from "./command-policy.js";
import { type JudgingContext, judgeArgv, judgeAssignment } from "./judge-argv.js";
import { deny, firstObjection, type Objection, unlisted } from "./objection.js";
import { parseCommand } from "./parse-command.js";
import { objectToPath, type PathScope } from "./path-check.js";
import { suggestTool } from "./suggest-tool.js";
import { walkDirectories } from "./walk-directories.js";

export interface CommandDecision {
  readonly verdict: "allow" | "ask" | "deny";
  readonly reason: string;
  /** The simple command that was objected to, as written; the whole text when everything is fine. */
  readonly offending: string;
  readonly suggestion?: string;
  /** How to run it without a shell. Missing when it needs one, or must not run. */
  readonly plan?: CommandPlan;
}

/** Decides about a command line. Nothing that could not be understood completely is ever allowed. */
export function decideCommand(text: string, policy: CommandPolicy, cwd = "."): CommandDecision {
  const parsed = parseCommand(text);
  if (parsed.kind === "refused")
    return decisionFor({ objection: parsed.objection, offending: parsed.offending }, policy);
  if (parsed.kind === "plan") return decidePlan(parsed.plan, policy, cwd);
  const { construct, offending, suggestion, fragments } = parsed;
  const inner = fragments.flatMap((fragment) => objectToFragment(fragment, policy, cwd));
  const objection = unlisted(
    `${construct} is outside what can be checked and run without a shell`,
    suggestion ?? "run_code",
  );
  return decisionFor(strongest([...inner, { objection, offending }]), policy);
}

/** Decides about arguments that are already separate: no shell syntax applies to them. */
export function decideArgv(argv: readonly string[], policy: CommandPolicy, cwd = "."): CommandDecision {
  const text = argv.join(" ");
  const command = { text, words: argv.map(literalWord), assignments: [], redirections: [] };
  if (argv.some((word) => word.includes("\0"))) {
    return decisionFor({ objection: deny("an argument contains NUL"), offending: text }, policy);
  }
  return decidePlan({ text, steps: [{ joiner: ";", negated: false, commands: [command] }] }, policy, cwd);
}

/** Decides about a plan; asked again after globs were expanded, when the real arguments are known. */
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
    return { ...decisionFor(strongest(found), policy), ...planUnlessDenied(found, plan, policy) };
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
  return (
    judgeArgv(argvOf(command), context) ??
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

// What needs a shell is judged piece by piece, and only certain denials count.
function objectToFragment(fragment: PlannedCommand, policy: CommandPolicy, cwd: string): Finding[] {
  const scope = { check: policy.checkPath, directories: [cwd] };
  const objection = objectToCommand(fragment, { policy, scope, hasInput: true, depth: 0 });
  return objection?.level === "deny" ? [{ objection, offending: fragment.text }] : [];
}

function strongest(found: readonly Finding[]): Finding {
  const order = ["deny", "unlisted", "ask"] as const;
  const level = order.find((candidate) => found.some(({ objection }) => objection.level === candidate));
  return (
    found.find(({ objection }) => objection.level === level) ?? {
      objection: deny("nothing to run"),
      offending: "",
    }
  );
}

function planUnlessDenied(
  found: readonly Finding[],
  plan: CommandPlan,
  policy: CommandPolicy,
): { plan?: CommandPlan } {
  return verdictOf(strongest(found).objection, policy) === "deny" ? {} : { plan };
}

function decisionFor({ objection, offending }: Finding, policy: CommandPolicy): CommandDecision {
  const { reason } = objection;
  const suggestion = objection.suggestion ?? suggestTool(offending.split(/\s+/));
  const decision = { verdict: verdictOf(objection, policy), reason, offending };
  return suggestion === undefined ? decision : { ...decision, suggestion };
}

function verdictOf(objection: Objection, policy: CommandPolicy): "ask" | "deny" {
  return objection.level === "unlisted" ? policy.onUnlisted : objection.level;
}
