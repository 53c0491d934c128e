import type { CommandFacts, SimpleCommand } from "../tool/call-inspection.js";
import type { Effect } from "./approval.js";

/**
 * Compiles argv prefixes. To deny or ask, one simple command that matches, or could match, is enough; options may
 * appear anywhere (`git -C x push` is `git push`). To allow, every command must start with exactly these words.
 */
export function compileCommand(
  prefixes: readonly (readonly string[])[],
  effect: Effect,
): (command: CommandFacts | undefined) => boolean {
  if (effect === "allow") return (command) => command !== undefined && isCovered(command, prefixes);
  return (command) =>
    command?.commands.some(({ argv }) => prefixes.some((prefix) => mayRun(argv, prefix))) === true;
}

/** A wrapped command is covered by the rule that allows its wrapper. */
function isCovered(
  { commands, isComplete }: CommandFacts,
  prefixes: readonly (readonly string[])[],
): boolean {
  const started = commands.filter(({ isWrapped }) => isWrapped !== true);
  return (
    isComplete &&
    started.length > 0 &&
    started.every(({ argv }) => prefixes.some((prefix) => startsWith(argv, prefix)))
  );
}

function startsWith(argv: SimpleCommand["argv"], prefix: readonly string[]): boolean {
  return prefix.every((word, index) => argv[index] === word);
}

/** Returns whether a command may be the one a prefix names. An unknown word may be any word, or several. */
function mayRun(argv: SimpleCommand["argv"], [program = "", ...rest]: readonly string[]): boolean {
  const [given, ...words] = argv;
  if (given === null) return true;
  if (given === undefined) return false;
  const [name, wanted] = [programName(given), programName(program)];
  if (name === wanted) return mayHold(words, rest);
  // Git and others provide a program for each subcommand: git-push.
  const [subcommand, ...others] = rest;
  return name === `${wanted}-${subcommand}`.toLowerCase() && mayHold(words, others);
}

/** A restricting rule treats `/usr/bin/npm` and `NPM.CMD` as npm, in the command and in the rule. */
function programName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1).toLowerCase();
  return name.replace(/\.(?:exe|cmd|bat|com|ps1)$/, "");
}

/** Matches the words of a prefix in order, with options anywhere between them, and its options in any order. */
function mayHold(words: SimpleCommand["argv"], prefix: readonly string[]): boolean {
  const options = prefix.filter(isOption);
  const hasOption = (option: string) => words.some((word) => word === null || mayBe(word, option));
  return (
    options.every(hasOption) &&
    mayName(
      words,
      prefix.filter((word) => !isOption(word)),
    )
  );
}

/**
 * Only the program knows which options take a value, so any of them may. The word after an option is read both as its
 * value and as the next word of the prefix.
 */
function mayName(words: SimpleCommand["argv"], wanted: readonly string[]): boolean {
  let found: readonly number[] = [0];
  let mayBeValue = false;
  for (const word of words) {
    if (word === null || found.includes(wanted.length)) return true;
    if (isOption(word)) {
      mayBeValue = !word.includes("=");
      continue;
    }
    const further = found.filter((count) => word === wanted[count]).map((count) => count + 1);
    found = mayBeValue ? [...new Set([...found, ...further])] : further;
    if (found.length === 0) return false;
    mayBeValue = false;
  }
  return found.includes(wanted.length);
}

function isOption(word: string): boolean {
  return word.startsWith("-");
}

/** `-rf` contains `-r`; `--forc` and `--force=x` count as `--force`. */
function mayBe(word: string, option: string): boolean {
  if (word === option) return true;
  if (option.startsWith("--")) {
    const [name = ""] = word.split("=", 1);
    return name.length > 2 && name.startsWith("--") && option.startsWith(name);
  }
  const isCluster = /^-[^-]/.test(word) && option.length === 2;
  return isCluster && word.slice(1).includes(option.slice(1));
}
