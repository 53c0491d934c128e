import type { CommandHost } from "@haft/core/capabilities";
import { type GitCall, gitCallOf, revealsContents, walksHistory } from "../command-policy/git-call.js";
import { withoutExclusions } from "../command-policy/git-hardening.js";
import { deny, firstObjection, type Objection } from "../command-policy/objection.js";
import { hasOption } from "../command-policy/program-rule.js";
import { type NamedObject, objectsIn } from "./git-objects.js";

export interface GitPlace {
  readonly host: CommandHost;
  readonly cwd: string;
}

/**
 * Objects to contents that a git command would print without naming their path: by object id, or under an earlier
 * name of the file. Only the repository knows these, so this is separate from the rules about arguments.
 */
export async function objectToGitContents(
  argv: readonly string[],
  place: GitPlace,
): Promise<Objection | undefined> {
  const call = gitCallOf(argv);
  if (call === undefined) return undefined;
  return (await objectToObjects(call, place)) ?? (await objectToFollowing(call, place));
}

/** Returns the arguments that really run: `git diff REVISION:PATH …` compares two files and takes no pathspec. */
export async function comparedByName(
  argv: readonly string[],
  { host, cwd }: GitPlace,
): Promise<readonly string[]> {
  const call = gitCallOf(argv);
  const operands = withoutExclusions(call?.read.operands ?? []);
  if (call?.subcommand !== "diff" || operands.length !== 2) return argv;
  const named = operands.filter((operand) => operand.includes(":"));
  const kinds = named.length === 0 ? [] : await host.gitKinds(named, cwd);
  return kinds.length > 0 && kinds.every((kind) => kind === "blob") ? withoutExclusions(argv) : argv;
}

async function objectToObjects(call: GitCall, place: GitPlace): Promise<Objection | undefined> {
  const { subcommand, read } = call;
  if (!printsObjects.has(subcommand)) return undefined;
  // Prints only a kind, a size, or whether the object exists.
  if (subcommand === "cat-file" && hasOption(read, "-t", "-s", "-e")) return undefined;
  const isPatternFirst = subcommand === "grep" && !hasOption(read, "-e");
  const objects = read.operands.slice(isPatternFirst ? 1 : 0).flatMap(objectsIn);
  return firstObjection(await kindsOf(objects, place), ({ object, kind }) => {
    if (kind === "unknown") return deny(`git does not report the type of ${object.name}`, BY_PATH);
    const isOpened = object.hasPath || !listsFolders.has(subcommand);
    if (kind !== "blob" && !(kind === "tree" && isOpened)) return undefined;
    const what = kind === "blob" ? "the content of a file" : "a folder";
    return deny(`${object.name} is ${what}, and its id does not show whether that is sensitive`, BY_PATH);
  });
}

const printsObjects: ReadonlySet<string> = new Set(["show", "cat-file", "grep", "diff", "diff-tree"]);

/** These list the names in a folder. */
const listsFolders: ReadonlySet<string> = new Set(["show", "cat-file"]);

const BY_PATH = "git show REVISION:PATH";

async function kindsOf(objects: readonly NamedObject[], { host, cwd }: GitPlace) {
  if (objects.length === 0) return [];
  const names = objects.map(({ name }) => `${name}^{}`);
  const kinds = await host.gitKinds(names, cwd);
  return objects.map((object, index) => ({ object, kind: kinds[index] ?? "unknown" }));
}

/**
 * Following a file through renames shows it under its earlier names. That depends on nearly every option of `git
 * log`, so it is allowed only in a history that never had a sensitive file.
 */
async function objectToFollowing(call: GitCall, place: GitPlace): Promise<Objection | undefined> {
  const { host, cwd } = place;
  const isFollowing = hasOption(call.read, "--follow") && walksHistory(call);
  if (!isFollowing || !revealsContents(call)) return undefined;
  const kinds = await kindsOf(call.read.operands.flatMap(objectsIn), place);
  const starts = kinds.filter(({ kind }) => kind !== "missing");
  const commits = starts.map(({ object }) => object.name);
  const names = await host.gitLogNames([...WHOLE_HISTORY, ...commits, "--"], cwd);
  if (names === undefined) return deny("git did not list the former names of files in time", UNFOLLOWED);
  const secret = names.find((name) => [cwd, "."].some((from) => host.judgePath(name, from) === "sensitive"));
  if (secret === undefined) return undefined;
  return deny(`the history has ${secret}, which is sensitive, and a file may be followed there`, UNFOLLOWED);
}

const WHOLE_HISTORY = ["--all", "--reflog", "--full-history", "-m", "--root", "--no-renames"];
const UNFOLLOWED = "git log -p -- PATH, or git log --follow --stat PATH";
