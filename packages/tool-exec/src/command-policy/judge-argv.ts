import { changesWhatRuns } from "@haft/text";
import { type ArgvRule, isRuleExactly, matchesRule } from "./argv-rule.js";
import { commandLimits } from "./command-limits.js";
import type { CommandPolicy } from "./command-policy.js";
import { objectToForbidden } from "./forbidden-programs.js";
import { objectToGitWrite } from "./git-writes.js";
import { deny, firstObjection, type Objection, unlisted } from "./objection.js";
import { objectToOutsideTargets } from "./outside-targets.js";
import { objectToPath, type PathScope } from "./path-check.js";
import { programRuleFor } from "./program-rules.js";
import { suggestTool } from "./suggest-tool.js";
import { unwrapCommand } from "./unwrap-command.js";
import { wordList } from "./word-list.js";

export interface JudgingContext {
  readonly policy: CommandPolicy;
  readonly scope: PathScope;
  /** Whether the command reads from a pipe or a file. */
  readonly hasInput: boolean;
  readonly depth: number;
}

/**
 * Judges one program with its arguments: it must be listed, used in a way that the built-in rules know, and stay
 * inside the workspace.
 */
export function judgeArgv(argv: readonly string[], context: JudgingContext): Objection | undefined {
  const objection = judge(argv, context);
  if (objection === undefined || objection.level === "deny") return objection;
  // These cannot be approved: a sensitive file, and a write outside the workspace.
  return (
    firstObjection(withoutExcludedPaths(argv), (word) => objectToSensitive(word, context.scope)) ??
    objectToOutsideTargets(argv, context.scope) ??
    (objection.level === "unlisted" ? objectToGitWrite(argv) : undefined) ??
    objection
  );
}

/** Requires that the host allows the name of an assignment. */
export function judgeAssignment(name: string, policy: CommandPolicy): Objection | undefined {
  if (changesWhatRuns(name)) return deny(`setting ${name} changes which program runs`);
  return policy.environment.has(name) ? undefined : unlisted(`setting ${name} for a command is not allowed`);
}

function judge(argv: readonly string[], context: JudgingContext): Objection | undefined {
  const name = argv[0] ?? "";
  if (context.depth > commandLimits.nesting) return deny(`more than ${commandLimits.nesting} wrappers`);
  const forbidden = objectToForbidden(name);
  if (forbidden !== undefined) return forbidden;
  if (shellBuiltins.has(name))
    return unlisted(`${name} is a shell builtin that runs or defines code`, "run_code");
  if (!rulesFor(name, context).some((rule) => matchesRule(argv, rule))) {
    return unlisted(NOT_LISTED, suggestTool(argv));
  }
  return judgeWrapped(argv, context) ?? judgeProgram(argv, context);
}

function rulesFor(program: string, context: JudgingContext): readonly ArgvRule[] {
  return context.policy.rules.get(program) ?? [];
}

function judgeProgram(argv: readonly string[], context: JudgingContext): Objection | undefined {
  const [name = "", ...args] = argv;
  if (unwrapCommand(argv) !== undefined) return undefined;
  return programRuleFor(name)({
    name,
    args,
    scope: context.scope,
    hasInput: context.hasInput,
    isListedExactly: rulesFor(name, context).some((rule) => isRuleExactly(argv, rule)),
    judgeInner: (inner) => judgeArgv(inner, { ...context, hasInput: true, depth: context.depth + 1 }),
  });
}

function judgeWrapped(argv: readonly string[], context: JudgingContext): Objection | undefined {
  const unwrapped = unwrapCommand(argv);
  if (unwrapped === undefined) return undefined;
  const inner = argv[unwrapped.index] ?? "";
  if (runnerCommands.has(inner)) return unlisted(`${inner} cannot run inside ${argv[0]}`);
  if (unwrapped.problem !== undefined)
    return unlisted(`${unwrapped.problem} is not a form that may run unasked`);
  return (
    firstObjection(unwrapped.assignments, (text) =>
      judgeAssignment(text.slice(0, text.indexOf("=")), context.policy),
    ) ?? judgeArgv(argv.slice(unwrapped.index), { ...context, depth: context.depth + 1 })
  );
}

// The runner executes these itself, so another program cannot start them.
const runnerCommands: ReadonlySet<string> = new Set(["cd", "xargs"]);

/** Returns the arguments except paths that the program leaves out: `--exclude=.git`, `-path ./.git -prune`. */
function withoutExcludedPaths([program, ...args]: readonly string[]): readonly string[] {
  return args.filter((word, index) => {
    const [before = "", earlier = ""] = [args[index - 1], args[index - 2]];
    if (program === "find" && PATH_TEST.test(before))
      return !(earlier === "!" || earlier === "-not" || args[index + 1] === "-prune");
    const [option = "", value] = word.split("=");
    return !(EXCLUSION.test(before) || (value !== undefined && EXCLUSION.test(option)));
  });
}

const EXCLUSION = /^--exclude(?:-dir)?$/;
const PATH_TEST = /^-(?:path|name|wholename)$/;

function objectToSensitive(word: string, scope: PathScope): Objection | undefined {
  const path = word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
  if (path.startsWith("-") || /\s/.test(path)) return undefined;
  const objection = objectToPath(path, {
    ...scope,
    check: (given, cwd) => sensitiveOnly(scope.check(given, cwd)),
  });
  return objection;
}

function sensitiveOnly(verdict: ReturnType<PathScope["check"]>): "inside" | "sensitive" {
  return verdict === "sensitive" ? "sensitive" : "inside";
}

export const NOT_LISTED = "it is not on the allow list";

const shellBuiltins: ReadonlySet<string> = new Set(
  wordList(
    "eval exec source . builtin trap alias unalias enable mapfile readarray read export declare typeset",
    "local readonly set unset shopt let hash bind complete compgen compopt fc history jobs fg bg disown",
    "suspend wait getopts ulimit umask dirs pushd popd logout exit return break continue shift times",
    "caller",
  ),
);
