import { hasOption } from "./program-rule.js";
import { gitOptions } from "./programs/git-options.js";
import { type ReadOptions, readOptions } from "./read-options.js";
import { unwrapCommand } from "./unwrap-command.js";
import { wordList } from "./word-list.js";

/** A git command line, read once: the rules, the hardening and the questions to the repository all look at this. */
export interface GitCall {
  readonly subcommand: string;
  /** What follows the subcommand. */
  readonly args: readonly string[];
  readonly read: ReadOptions;
}

/** Also of a command that was hardened, and inside `timeout 5 git …`; undefined when it is not a known git command. */
export function gitCallOf(argv: readonly string[]): GitCall | undefined {
  const wrapped = unwrapCommand(argv);
  if (wrapped !== undefined) return gitCallOf(argv.slice(wrapped.index));
  if (argv[0] !== "git") return undefined;
  let at = 1;
  while (argv[at]?.startsWith("-")) at += argv[at] === "-c" ? 2 : 1;
  return readGitCall(argv[at] ?? "", argv.slice(at + 1));
}

export function readGitCall(subcommand: string, args: readonly string[]): GitCall | undefined {
  const table = Object.hasOwn(gitOptions, subcommand) ? gitOptions[subcommand] : undefined;
  return table === undefined ? undefined : { subcommand, args, read: readOptions(args, table) };
}

/** Whether what is in files shows: as a patch, or in which commits are listed because of it. */
export function revealsContents({ subcommand, read }: GitCall): boolean {
  if (alwaysRevealing.has(subcommand)) return true;
  if (!walkingHistory.has(subcommand)) return false;
  return read.unknown !== undefined || hasOption(read, ...revealingOptions);
}

/** Whether it walks from commit to commit and may be told to show what is in files. */
export function walksHistory({ subcommand }: GitCall): boolean {
  return walkingHistory.has(subcommand);
}

const alwaysRevealing: ReadonlySet<string> = new Set(["diff", "show", "diff-tree", "grep"]);

const walkingHistory: ReadonlySet<string> = new Set(["log", "whatchanged", "stash", "reflog"]);

// -S, -G, -I and their like tell by a commit or a number whether a guess about a line was right.
const revealingOptions = wordList(
  "-p -u -U -c -m -W -L --patch --patch-with-raw --patch-with-stat --unified --word-diff --word-diff-regex",
  "--color-words --cc --function-context --binary --remerge-diff --diff-merges --combined-all-paths --check",
  "-S -G -I --pickaxe-all --pickaxe-regex --ignore-matching-lines --anchored",
);
