import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from "node:child_process";
import type { GitObjectKind } from "@haft/core";
import { errnoOf } from "../workspace/system-error.js";

export interface GitSetting {
  readonly cwd?: string;
  readonly env: Record<string, string>;
}

/** The names only; git runs nothing to list them. Empty outside a repository, undefined when git does not tell. */
export function gitKeys(setting: GitSetting): readonly string[] | undefined {
  const listed = ask(["config", "--local", "--includes", "--name-only", "--list"], hardened(setting));
  return listed?.split("\n").filter((key) => key !== "");
}

/** Every name is missing outside a repository; what git does not tell is unknown. */
export function gitKinds(names: readonly string[], setting: GitSetting): readonly GitObjectKind[] {
  if (names.some((each) => each.includes("\n"))) return names.map(() => "unknown");
  const input = names.map((each) => `${each}\n`).join("");
  const answered = ask(["cat-file", "--batch-check=%(objecttype)"], hardened(setting), input);
  if (answered === NO_REPOSITORY) return names.map(() => "missing");
  const kinds = answered?.split("\n") ?? [];
  return names.map((name, index) => kindIn(kinds[index] ?? "", name));
}

function kindIn(line: string, name: string): GitObjectKind {
  if (line === `${name} missing`) return "missing";
  return objectKinds.find((kind) => kind === line) ?? "unknown";
}

const objectKinds = ["commit", "tree", "blob", "tag"] as const;

/** What `git log` would show changes of; undefined when git refuses or that takes too long. */
export function gitLogNames(args: readonly string[], setting: GitSetting): readonly string[] | undefined {
  const names = ["--name-only", "--format=", "-z", "--no-ext-diff", "--no-textconv"];
  const listed = ask(["log", ...names, ...args], hardened(setting));
  return listed === undefined
    ? undefined
    : [...new Set(listed.split(/[\0\n]/))].filter((name) => name !== "");
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

/** What git says; undefined when it refuses, takes too long or says too much. */
function ask(args: readonly string[], setting: GitSetting, input?: string): string | undefined {
  const options: ExecFileSyncOptionsWithStringEncoding = {
    ...setting,
    env: { ...setting.env, LC_ALL: "C", LANGUAGE: "C" },
    encoding: "utf8",
    timeout: GIT_MS,
    maxBuffer: MAX_BYTES,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(input !== undefined && { input }),
  };
  try {
    return execFileSync("git", [...OVERRIDES, ...args], options);
  } catch (error) {
    return isNowhere(error) ? NO_REPOSITORY : undefined;
  }
}

/** Whether the command that is asked about would fail as well: no git, no such directory, or no repository there. */
function isNowhere(error: unknown): boolean {
  if (errnoOf(error) === "ENOENT") return true;
  const { status, stderr } = error as { status?: unknown; stderr?: unknown };
  return status === 128 && NOT_A_REPOSITORY.test(String(stderr));
}

const NO_REPOSITORY = "";
const NOT_A_REPOSITORY =
  /^fatal: (?:not a git repository|--local can only be used inside a git repository|detected dubious ownership)/m;
const OVERRIDES = ["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
const GIT_MS = 2_000;
const MAX_BYTES = 4 * 1024 * 1024;
