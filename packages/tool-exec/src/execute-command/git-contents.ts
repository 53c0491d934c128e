import type { CommandHost } from "@haft/core";
import { printsPatches } from "../command-policy/git-hardening.js";
import { deny, type Objection } from "../command-policy/objection.js";
import { hasOption } from "../command-policy/program-rule.js";
import { gitOptions } from "../command-policy/programs/git-options.js";
import { type ReadOptions, readOptions } from "../command-policy/read-options.js";
import { unwrapCommand } from "../command-policy/unwrap-command.js";

export interface GitPlace {
  readonly host: CommandHost;
  readonly cwd: string;
}

/**
 * Objects to contents that a git command would print without naming their path: by the id of an object, or under a
 * name the file had before. Only the repository can tell, so this is asked apart from the rules about arguments.
 */
export function objectToGitContents(argv: readonly string[], place: GitPlace): Objection | undefined {
  const call = gitCallOf(argv);
  const table = Object.hasOwn(gitOptions, call?.subcommand ?? "") && gitOptions[call?.subcommand ?? ""];
  if (call === undefined || !table) return undefined;
  const read = readOptions(call.args, table);
  return objectToBlobs(call.subcommand, read, place) ?? objectToFormerNames(call, read, place);
}

interface GitCall {
  readonly subcommand: string;
  readonly args: readonly string[];
}

/** Also of a command that was hardened, and inside `timeout 5 git …`. */
function gitCallOf(argv: readonly string[]): GitCall | undefined {
  const wrapped = unwrapCommand(argv);
  if (wrapped !== undefined) return gitCallOf(argv.slice(wrapped.index));
  if (argv[0] !== "git") return undefined;
  let at = 1;
  while (argv[at]?.startsWith("-")) at += argv[at] === "-c" ? 2 : 1;
  return { subcommand: argv[at] ?? "", args: argv.slice(at + 1) };
}

function objectToBlobs(subcommand: string, read: ReadOptions, place: GitPlace): Objection | undefined {
  if (!printsBlobs.has(subcommand)) return undefined;
  // Only a kind, a size, or whether it is there.
  if (subcommand === "cat-file" && hasOption(read, "-t", "-s", "-e")) return undefined;
  const revisions = read.operands.flatMap(revisionsIn).filter((each) => !CERTAINLY_COMMIT.test(each));
  const [blob] = revisions.length === 0 ? [] : place.host.gitBlobs(revisions, place.cwd);
  if (blob === undefined) return undefined;
  return deny(
    `${blob} is the content of a file, and its id does not tell whether that is sensitive`,
    "git show REVISION:PATH",
  );
}

const printsBlobs: ReadonlySet<string> = new Set(["show", "cat-file", "grep"]);

/** What names a path was judged by that. */
function revisionsIn(operand: string): readonly string[] {
  if (operand.includes(":")) return [];
  return operand.split(/\.{2,3}/).flatMap((end) => end.replace(/^\^/, "") || []);
}

const CERTAINLY_COMMIT = /^(?:HEAD|@)(?:[~^]\d*)*$/;

/** Whoever follows a file through its names sees what it was when it had another one. */
function objectToFormerNames(
  { subcommand, args }: GitCall,
  read: ReadOptions,
  place: GitPlace,
): Objection | undefined {
  const isFollowing = subcommand === "log" && hasOption(read, "--follow") && printsPatches(args);
  if (!isFollowing || read.unknown !== undefined) return undefined;
  const names = place.host.gitLogNames(args, place.cwd);
  if (names === undefined) return deny("it takes too long to find out which names the file had", UNFOLLOWED);
  const secret = names.find((name) => place.host.judgePath(name, place.cwd) === "sensitive");
  return secret === undefined
    ? undefined
    : deny(`the file was ${secret} before, which is sensitive`, UNFOLLOWED);
}

const UNFOLLOWED = "git log -p -- PATH";
