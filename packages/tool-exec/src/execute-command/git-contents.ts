import type { CommandHost } from "@haft/core";
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
 * Objects to contents that a git command would print without naming their path: by the id of a file or a folder, or
 * under a name the file had before. Only the repository can tell, so this is asked apart from the rules about arguments.
 */
export function objectToGitContents(argv: readonly string[], place: GitPlace): Objection | undefined {
  const call = gitCallOf(argv);
  if (call === undefined) return undefined;
  return objectToObjects(call, place) ?? objectToFollowing(call, place);
}

/** What really runs: two files that are compared by `git diff REVISION:PATH …` take no pathspec beside them. */
export function comparedByName(argv: readonly string[], { host, cwd }: GitPlace): readonly string[] {
  const call = gitCallOf(argv);
  const operands = withoutExclusions(call?.read.operands ?? []);
  if (call?.subcommand !== "diff" || operands.length !== 2) return argv;
  const named = operands.filter((operand) => operand.includes(":"));
  const kinds = named.length === 0 ? [] : host.gitKinds(named, cwd);
  return kinds.length > 0 && kinds.every((kind) => kind === "blob") ? withoutExclusions(argv) : argv;
}

function objectToObjects(call: GitCall, place: GitPlace): Objection | undefined {
  const { subcommand, read } = call;
  if (!printsObjects.has(subcommand)) return undefined;
  // Only a kind, a size, or whether it is there.
  if (subcommand === "cat-file" && hasOption(read, "-t", "-s", "-e")) return undefined;
  const isPatternFirst = subcommand === "grep" && !hasOption(read, "-e");
  const objects = read.operands.slice(isPatternFirst ? 1 : 0).flatMap(objectsIn);
  return firstObjection(kindsOf(objects, place), ({ object, kind }) => {
    if (kind === "unknown") return deny(`git does not tell what ${object.name} is`, BY_PATH);
    const isOpened = object.hasPath || !listsFolders.has(subcommand);
    if (kind !== "blob" && !(kind === "tree" && isOpened)) return undefined;
    const what = kind === "blob" ? "the content of a file" : "a folder";
    return deny(`${object.name} is ${what}, and its id does not tell whether that is sensitive`, BY_PATH);
  });
}

const printsObjects: ReadonlySet<string> = new Set(["show", "cat-file", "grep", "diff", "diff-tree"]);

/** Of a folder these show the names of what is in it. */
const listsFolders: ReadonlySet<string> = new Set(["show", "cat-file"]);

const BY_PATH = "git show REVISION:PATH";

function kindsOf(objects: readonly NamedObject[], { host, cwd }: GitPlace) {
  if (objects.length === 0) return [];
  const names = objects.map(({ name }) => `${name}^{}`);
  const kinds = host.gitKinds(names, cwd);
  return objects.map((object, index) => ({ object, kind: kinds[index] ?? "unknown" }));
}

/**
 * Whoever follows a file through its names sees what it was when it had another one. Where that leads depends on
 * nearly every option of `git log`, so it may be done only in a history that never had a sensitive file.
 */
function objectToFollowing(call: GitCall, place: GitPlace): Objection | undefined {
  const { host, cwd } = place;
  const isFollowing = hasOption(call.read, "--follow") && walksHistory(call);
  if (!isFollowing || !revealsContents(call)) return undefined;
  const starts = kindsOf(call.read.operands.flatMap(objectsIn), place).filter(
    ({ kind }) => kind !== "missing",
  );
  const commits = starts.map(({ object }) => object.name);
  const names = host.gitLogNames([...WHOLE_HISTORY, ...commits, "--"], cwd);
  if (names === undefined) return deny("git does not tell in time which names files had", UNFOLLOWED);
  const secret = names.find((name) => [cwd, "."].some((from) => host.judgePath(name, from) === "sensitive"));
  if (secret === undefined) return undefined;
  return deny(`the history has ${secret}, which is sensitive, and a file may be followed there`, UNFOLLOWED);
}

const WHOLE_HISTORY = ["--all", "--reflog", "--full-history", "-m", "--root", "--no-renames"];
const UNFOLLOWED = "git log -p -- PATH, or git log --follow --stat PATH";
