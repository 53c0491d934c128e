import { type ArgvRule, isRuleExactly, matchesRule } from "./argv-rule.js";
import { commandLimits } from "./command-limits.js";
import type { CommandPolicy } from "./command-policy.js";
import { changesWhatRuns } from "./environment-names.js";
import { deny, firstObjection, type Objection, unlisted } from "./objection.js";
import { objectToPath, type PathScope } from "./path-check.js";
import { programRuleFor } from "./program-rules.js";
import { suggestTool } from "./suggest-tool.js";
import { unwrapCommand } from "./unwrap-command.js";
import { wordList } from "./word-list.js";

export interface JudgingContext {
  readonly policy: CommandPolicy;
  readonly scope: PathScope;
  /** The command reads from a pipe or a file. */
  readonly hasInput: boolean;
  readonly depth: number;
}

/** Judges one program with its arguments: listed, used in a way that the built-in rules know, inside the workspace. */
export function judgeArgv(argv: readonly string[], context: JudgingContext): Objection | undefined {
  const objection = judge(argv, context);
  if (objection === undefined || objection.level === "deny") return objection;
  // Whoever is asked, a sensitive file is not up for discussion.
  return firstObjection(argv.slice(1), (word) => objectToSensitive(word, context.scope)) ?? objection;
}

/** An assignment before a command must have a name that the host allows. */
export function judgeAssignment(name: string, policy: CommandPolicy): Objection | undefined {
  if (changesWhatRuns(name)) return deny(`setting ${name} changes which program runs`);
  return policy.environment.has(name) ? undefined : unlisted(`setting ${name} for a command is not allowed`);
}

function judge(argv: readonly string[], context: JudgingContext): Objection | undefined {
  const name = argv[0] ?? "";
  if (context.depth > commandLimits.nesting) return deny(`more than ${commandLimits.nesting} wrappers`);
  if (shellBuiltins.has(name))
    return unlisted(`${name} is a shell builtin that runs or defines code`, "run_code");
  if (!rulesFor(name, context).some((rule) => matchesRule(argv, rule))) {
    return unlisted(`${shortened(argv)} is not in the list of allowed commands`, suggestTool(argv));
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

// The runner carries these out itself, so another program cannot start them.
const runnerCommands: ReadonlySet<string> = new Set(["cd", "xargs"]);

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

function shortened(argv: readonly string[]): string {
  const text = argv.slice(0, 3).join(" ");
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

const shellBuiltins: ReadonlySet<string> = new Set(
  wordList(
    "eval exec source . builtin trap alias unalias enable mapfile readarray read export declare typeset",
    "local readonly set unset shopt let hash bind complete compgen compopt fc history jobs fg bg disown",
    "suspend wait getopts ulimit umask dirs pushd popd logout exit return break continue shift times",
    "caller",
  ),
);
