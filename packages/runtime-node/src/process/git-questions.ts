import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from "node:child_process";
import { errnoOf } from "../workspace/system-error.js";

export interface GitSetting {
  readonly cwd?: string;
  readonly env: Record<string, string>;
}

/** The names only; git runs nothing to list them. Empty outside a repository. */
export function gitKeys(setting: GitSetting): readonly string[] {
  const listed = ask(["config", "--local", "--includes", "--name-only", "--list"], hardened(setting));
  return (listed ?? "").split("\n").filter((key) => key !== "");
}

/** Those that are the content of a file, also behind a tag; all of them when git does not answer in time. */
export function gitBlobs(revisions: readonly string[], setting: GitSetting): readonly string[] {
  if (revisions.some((each) => each.includes("\n"))) return revisions;
  const input = revisions.map((each) => `${each}^{}\n`).join("");
  const answered = ask(["cat-file", "--batch-check=%(objecttype)"], hardened(setting), input);
  if (answered === undefined) return revisions;
  const kinds = answered.split("\n");
  return revisions.filter((_, index) => /^blob$| ambiguous$/.test(kinds[index] ?? ""));
}

/** What `git log` would show changes of, renames followed as it is asked to; undefined when that takes too long. */
export function gitLogNames(args: readonly string[], setting: GitSetting): readonly string[] | undefined {
  const names = ["--name-only", "--format=", "-z", "--no-ext-diff", "--no-textconv"];
  const listed = ask(["log", ...names, ...args], hardened(setting));
  return listed?.split(/[\0\n]/).filter((name) => name !== "");
}

export function gitIdentity(env: Record<string, string>): Readonly<Record<string, string>> {
  const name = (ask(["config", "--global", "user.name"], { env }) ?? "").trim();
  const email = (ask(["config", "--global", "user.email"], { env }) ?? "").trim();
  return {
    ...(name !== "" && { GIT_AUTHOR_NAME: name, GIT_COMMITTER_NAME: name }),
    ...(email !== "" && { GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_EMAIL: email }),
  };
}

/** Nothing is fetched, and nobody's settings but the repository's count. */
function hardened({ cwd, env }: GitSetting): GitSetting {
  const hidden = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_NO_LAZY_FETCH: "1" };
  return { ...(cwd !== undefined && { cwd }), env: { ...env, ...hidden } };
}

/** What git says; nothing where it refuses, undefined when it takes too long or says too much. */
function ask(args: readonly string[], setting: GitSetting, input?: string): string | undefined {
  const options: ExecFileSyncOptionsWithStringEncoding = {
    ...setting,
    encoding: "utf8",
    timeout: GIT_MS,
    maxBuffer: MAX_BYTES,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
    ...(input !== undefined && { input }),
  };
  try {
    return execFileSync("git", [...OVERRIDES, ...args], options);
  } catch (error) {
    return errnoOf(error) === "ETIMEDOUT" || errnoOf(error) === "ENOBUFS" ? undefined : "";
  }
}

const OVERRIDES = ["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
const GIT_MS = 2_000;
const MAX_BYTES = 4 * 1024 * 1024;
