import { plainWords } from "@haft/text";

/** Allows every command whose arguments begin with these words. The examples are checked when the rule is loaded. */
export interface ArgvRule {
  readonly prefix: readonly string[];
  /** Allows no further arguments. */
  readonly exact?: boolean;
  readonly match?: readonly string[];
  readonly noMatch?: readonly string[];
}

/** Parses `git status` or a rule object. Throws with the reason if the rule or one of its examples is wrong. */
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

/** Compares whole words, case-sensitive: `git log` matches neither `git logout` nor `./git log`. */
export function matchesRule(argv: readonly string[], rule: ArgvRule): boolean {
  if (rule.exact && argv.length !== rule.prefix.length) return false;
  return rule.prefix.every((word, index) => argv[index] === word);
}

/** Returns the rules that allow what both lists allow. */
export function intersectRules(rules: readonly ArgvRule[], others: readonly ArgvRule[]): readonly ArgvRule[] {
  return rules.flatMap((rule) =>
    others.flatMap((other) => {
      if (matchesRule(rule.prefix, { prefix: other.prefix })) return [rule];
      return matchesRule(other.prefix, rule) ? [{ prefix: other.prefix }] : [];
    }),
  );
}

export function isRuleExactly(argv: readonly string[], rule: ArgvRule): boolean {
  return argv.length === rule.prefix.length && matchesRule(argv, rule);
}

function argvOfText(text: string): readonly string[] {
  const words = plainWords(text);
  if (words === undefined) throw new Error(`"${text}" is not one plain command.`);
  return words;
}
