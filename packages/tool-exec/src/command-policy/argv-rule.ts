import { argvOf } from "./command-plan.js";
import { parseCommand } from "./parse-command.js";

/** Lets every command run whose arguments begin with these words. The examples are checked when the rule is loaded. */
export interface ArgvRule {
  readonly prefix: readonly string[];
  /** No further arguments. */
  readonly exact?: boolean;
  readonly match?: readonly string[];
  readonly noMatch?: readonly string[];
}

/** Reads `git status` or a rule object; throws with the reason when the rule or one of its examples is wrong. */
export function readArgvRule(rule: string | ArgvRule): ArgvRule {
  const read = typeof rule === "string" ? { prefix: argvOfText(rule) } : rule;
  const shown = read.prefix.join(" ");
  if (read.prefix.length === 0 || read.prefix[0] === "")
    throw new Error("A command rule needs a program name.");
  for (const example of read.match ?? []) {
    if (!matchesRule(argvOfText(example), read))
      throw new Error(`Rule "${shown}" should match "${example}".`);
  }
  for (const example of read.noMatch ?? []) {
    if (matchesRule(argvOfText(example), read))
      throw new Error(`Rule "${shown}" should not match "${example}".`);
  }
  return read;
}

/** By whole words, case-sensitive: `git log` matches neither `git logout` nor `./git log`. */
export function matchesRule(argv: readonly string[], rule: ArgvRule): boolean {
  if (rule.exact && argv.length !== rule.prefix.length) return false;
  return rule.prefix.every((word, index) => argv[index] === word);
}

export function isRuleExactly(argv: readonly string[], rule: ArgvRule): boolean {
  return argv.length === rule.prefix.length && matchesRule(argv, rule);
}

function argvOfText(text: string): string[] {
  // Nearly every rule is plain words, which need no parser.
  if (/^[\w.:/@[-]+(?: [\w.:/@[-]+)*$/.test(text)) return text.split(" ");
  const parsed = parseCommand(text);
  const steps = parsed.kind === "plan" ? parsed.plan.steps : [];
  const [command, ...more] = steps[0]?.commands ?? [];
  if (command === undefined || more.length > 0 || steps.length > 1) {
    throw new Error(`"${text}" is not one plain command.`);
  }
  return argvOf(command);
}
