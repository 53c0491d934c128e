import { hasOption } from "./program-rule.js";
import { gitOptions } from "./programs/git-options.js";
import { type ReadOptions, readOptions } from "./read-options.js";
import { unwrapCommand } from "./unwrap-command.js";
import { wordList } from "./word-list.js";

/** A parsed git command line, shared by the rules, the hardening and the questions to the repository. */
export interface GitCall {
  readonly subcommand: string;
  /** The arguments after the subcommand. */
  readonly args: readonly string[];
  readonly read: ReadOptions;
}

/** Parses a git command, also a hardened one and inside `timeout 5 git …`. Returns undefined for anything else. */
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

/** Returns whether the output reveals file contents: as a patch, or by which commits are listed. */
export function revealsContents({ subcommand, args, read }: GitCall): boolean {
  if (alwaysRevealing.has(subcommand)) return true;
  if (!walkingHistory.has(subcommand)) return false;
  // Its other forms have options of their own: `git stash -u` takes new files along.
  if (subcommand === "stash" && !args.includes("list") && !args.includes("show")) return false;
  return read.unknown !== undefined || hasOption(read, ...revealingOptions);
}

/** Returns whether it walks the history and can show file contents. */
export function walksHistory({ subcommand }: GitCall): boolean {
  return walkingHistory.has(subcommand);
}

const alwaysRevealing: ReadonlySet<string> = new Set(["diff", "show", "diff-tree", "grep"]);

const walkingHistory: ReadonlySet<string> = new Set(["log", "whatchanged", "stash", "reflog"]);

// Options such as -S, -G and -I reveal by a commit or a number whether a guess about a line was right.
const revealingOptions = wordList(
  "-p -u -U -c -m -W -L --patch --patch-with-raw --patch-with-stat --unified --word-diff --word-diff-regex",
  "--color-words --cc --function-context --binary --remerge-diff --diff-merges --combined-all-paths --check",
  "-S -G -I --pickaxe-all --pickaxe-regex --ignore-matching-lines --anchored",
);
