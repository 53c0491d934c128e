import { beyond, type Objection } from "./objection.js";
import { gitSubcommandIndex } from "./programs/git-program.js";
import { wordList } from "./word-list.js";

/** Objects to a git command that changes the repository: the box mounts it read-only without approval. */
export function objectToGitWrite(argv: readonly string[]): Objection | undefined {
  const subcommand = gitWriteOf(argv);
  if (subcommand === undefined) return undefined;
  return beyond(`git ${subcommand} changes the repository, which undo does not cover`);
}

/** Returns the subcommand of a git command that changes the repository, otherwise undefined. */
export function gitWriteOf([name, ...args]: readonly string[]): string | undefined {
  if (name !== "git") return undefined;
  const subcommand = args[gitSubcommandIndex(args)] ?? "";
  return writing.has(subcommand) ? subcommand : undefined;
}

/** Returns whether it reads files of the working tree, including unnamed ones. */
export function takesWholeTree([, ...args]: readonly string[]): boolean {
  const at = gitSubcommandIndex(args);
  const subcommand = args[at] ?? "";
  if (subcommand === "commit") return args.slice(at + 1).some((arg) => /^-[a-z]*a|^--all$/.test(arg));
  return treeWide.has(subcommand);
}

const treeWide: ReadonlySet<string> = new Set(
  wordList("stash checkout switch reset merge rebase cherry-pick revert pull restore am"),
);

const writing: ReadonlySet<string> = new Set(
  wordList(
    "add commit stash checkout switch restore reset merge rebase cherry-pick revert mv rm branch tag am notes",
    "remote fetch pull push gc",
  ),
);
