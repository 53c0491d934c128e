import type { GitObjectKind } from "@haft/core/capabilities";
import { SCRUBBED } from "../sandbox/find-bubblewrap.js";
import { errnoOf } from "../workspace/system-error.js";
import { type Answer, askProgram } from "./ask-program.js";

interface GitContext {
  readonly cwd?: string;
  readonly env: Record<string, string>;
  /**
   * The command prefix that runs git in a box, so that nothing the repository names runs on the host. Empty without a
   * box.
   */
  readonly launcher?: readonly string[] | undefined;
}

/**
 * Lists the names of git settings; git runs nothing to list them. Empty outside a repository, undefined if git fails.
 */
export async function gitKeys(context: GitContext): Promise<readonly string[] | undefined> {
  // Without --local, so that the configuration of the working tree is among them.
  const listed = await ask(["config", "--includes", "--name-only", "--list"], hardened(context));
  return listed?.split("\n").filter((key) => key !== "" && !OVERRIDDEN.has(key.toLowerCase()));
}

/** Returns the kind of each object. All are missing outside a repository; undefined if git fails. */
export async function gitKinds(
  names: readonly string[],
  context: GitContext,
): Promise<readonly GitObjectKind[]> {
  if (names.some((each) => each.includes("\n"))) return names.map(() => "unknown");
  const input = names.map((each) => `${each}\n`).join("");
  const answered = await ask(["cat-file", "--batch-check=%(objecttype)"], hardened(context), input);
  if (answered === NO_REPOSITORY) return names.map(() => "missing");
  const kinds = answered?.split("\n") ?? [];
  return names.map((name, index) => kindIn(kinds[index] ?? "", name));
}

function kindIn(line: string, name: string): GitObjectKind {
  if (line === `${name} missing`) return "missing";
  return objectKinds.find((kind) => kind === line) ?? "unknown";
}

const objectKinds = ["commit", "tree", "blob", "tag"] as const;

/** Returns the files whose changes `git log` would show, or undefined if git refuses or times out. */
export async function gitLogNames(
  args: readonly string[],
  context: GitContext,
): Promise<readonly string[] | undefined> {
  const names = ["--name-only", "--format=", "-z", "--no-ext-diff", "--no-textconv"];
  const listed = await ask(["log", ...names, ...args], hardened(context));
  return listed === undefined
    ? undefined
    : [...new Set(listed.split(/[\0\n]/))].filter((name) => name !== "");
}

/** Returns all files in the index. Empty outside a repository, undefined if git fails. */
export async function gitTrackedNames(context: GitContext): Promise<readonly string[] | undefined> {
  const listed = await ask(["ls-files", "-z", "--full-name", "--", ":/"], hardened(context));
  return listed?.split("\0").filter((name) => name !== "");
}

/** Returns git's data folders, or undefined outside a repository. */
export async function gitFolders(context: GitContext): Promise<readonly string[] | undefined> {
  const told = await ask(
    ["rev-parse", "--absolute-git-dir", "--path-format=absolute", "--git-common-dir"],
    hardened(context),
  );
  const folders = told?.split("\n").filter((line) => line !== "") ?? [];
  return folders.length === 0 ? undefined : folders;
}

/** Returns the hosts of the repository's remotes, without those that are not reached over the web. */
export async function gitRemoteHosts(context: GitContext): Promise<readonly string[]> {
  const listed = (await ask(["config", "--get-regexp", "^remote\\..*\\.url$"], hardened(context))) ?? "";
  const urls = listed.split("\n").map((line) => line.slice(line.indexOf(" ") + 1));
  const web = urls.filter((url) => /^https?:/i.test(url) && URL.canParse(url));
  return [...new Set(web.map((url) => new URL(url).hostname))];
}

export async function gitIdentity(env: Record<string, string>): Promise<Readonly<Record<string, string>>> {
  const name = ((await ask(["config", "--global", "user.name"], { env })) ?? "").trim();
  const email = ((await ask(["config", "--global", "user.email"], { env })) ?? "").trim();
  return {
    ...(name !== "" && { GIT_AUTHOR_NAME: name, GIT_COMMITTER_NAME: name }),
    ...(email !== "" && { GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_EMAIL: email }),
  };
}

/** Disables fetching, and every configuration except the repository's. */
function hardened(context: GitContext): GitContext {
  const hidden = {
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_NO_LAZY_FETCH: "1",
    // Older versions fetch missing objects anyway, unless no protocol is allowed.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_OPTIONAL_LOCKS: "0",
  };
  return { ...context, env: { ...context.env, ...hidden } };
}

/** Returns git's output, or undefined if it refuses, times out or writes too much. */
async function ask(
  args: readonly string[],
  context: GitContext,
  input?: string,
): Promise<string | undefined> {
  const { cwd, launcher = [] } = context;
  const env = { ...context.env, LC_ALL: "C", LANGUAGE: "C" };
  const [program = "git", ...rest] = [...inBox(launcher, env), "git", ...OVERRIDES, ...args];
  const answer = await askProgram({
    program,
    args: rest,
    cwd,
    env: launcher.length === 0 ? env : SCRUBBED,
    input,
    timeoutMs: GIT_MS,
  });
  if (answer.exitCode === 0 && answer.error === undefined) return answer.stdout;
  return isNowhere(answer) ? NO_REPOSITORY : undefined;
}

function inBox(launcher: readonly string[], env: Readonly<Record<string, string>>): readonly string[] {
  if (launcher.length === 0) return [];
  return [...launcher, ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]), "--"];
}

/** Returns whether the command itself would fail as well: no git, no such directory, or no repository. */
function isNowhere({ exitCode, stderr, error }: Answer): boolean {
  if (errnoOf(error) === "ENOENT") return true;
  return exitCode === 128 && NOT_A_REPOSITORY.test(stderr);
}

const NO_REPOSITORY = "";
const NOT_A_REPOSITORY =
  /^fatal: (?:not a git repository|--local can only be used inside a git repository|detected dubious ownership)/m;
const OVERRIDES = ["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
const OVERRIDDEN: ReadonlySet<string> = new Set(["core.fsmonitor", "core.hookspath"]);
const GIT_MS = 5_000;
