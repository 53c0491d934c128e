import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { posix } from "node:path";
import type { CommandHost, LocalFolder } from "@haft/core";
import { holdsSensitiveNames } from "@haft/text/path-rules";
import { type Environment, scrubbedEnvironment } from "../secrets/scrubbed-environment.js";
import { gitIdentity, gitKeys, gitKinds, gitLogNames } from "./git-questions.js";
import { programDirectories } from "./program-path.js";

export interface CommandHostOptions {
  /** The folder and the guard that decides which of its files may be opened. */
  readonly local: LocalFolder;
  readonly env: Environment;
}

/** Answers what a command policy asks about this machine. */
export function nodeCommandHost({ local, env }: CommandHostOptions): CommandHost {
  const directories = programDirectories(env.PATH, local.root);
  const childEnv = scrubbedEnvironment({ ...env, PATH: directories.join(":") });
  const inDirectory = (cwd: string) => ({ cwd: posix.resolve(local.root, cwd), env: childEnv });
  let identity: Readonly<Record<string, string>> | undefined;
  return {
    judgePath: (path, cwd) => judgePath(path, cwd, local),
    scripts: () => readScripts(posix.join(local.root, "package.json")),
    gitKeys: (cwd) => gitKeys(inDirectory(cwd)),
    gitKinds: (names, cwd) => gitKinds(names, inDirectory(cwd)),
    gitLogNames: (args, cwd) => gitLogNames(args, inDirectory(cwd)),
    gitIdentity: () => {
      identity ??= gitIdentity(childEnv);
      return identity;
    },
  };
}

function judgePath(path: string, cwd: string, local: LocalFolder): ReturnType<CommandHost["judgePath"]> {
  if (path.includes("\0")) return "outside";
  const from = posix.isAbsolute(path) ? path : `${posix.resolve(local.root, cwd)}/${path}`;
  const real = followLinks(from);
  if (real === undefined) return "outside";
  const inside = below(local.root, real);
  if (inside === undefined) return "outside";
  // The name it is called by counts as well as the one it has: `.env` may be a link to something harmless.
  const named = below(local.root, posix.normalize(from));
  const isOpen = [inside, named ?? ""].every((each) => each === "" || mayOpenBelow(each, local));
  return isOpen && !hasSecretName(real, local) ? "inside" : "sensitive";
}

/** A directory that holds secrets may be listed; a program that is given it reads what is in it. */
function mayOpenBelow(path: string, local: LocalFolder): boolean {
  if (!local.mayOpen(path) || !local.mayOpen(`${path}/x`)) return false;
  return !holdsSensitiveNames(path.toLowerCase().split("/"));
}

/** Whether a file has a sensitive name too, by a hard link beside it or in the root: a known limit beyond that. */
function hasSecretName(file: string, local: LocalFolder): boolean {
  const stats = statsOf(file);
  if (stats === undefined || !stats.isFile() || stats.nlink < 2) return false;
  return [posix.dirname(file), local.root].some((directory) =>
    namesIn(directory).some((name) => {
      const other = `${directory}/${name}`;
      const isSecret = !local.mayOpen(below(local.root, other) ?? "");
      return isSecret && statsOf(other)?.ino === stats.ino && statsOf(other)?.dev === stats.dev;
    }),
  );
}

function statsOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Where the system would end up, name by name: `..` after a link leaves what the link leads to. */
function followLinks(path: string): string | undefined {
  let waiting = path.split("/").reverse();
  let real = "";
  for (let links = 0; waiting.length > 0; ) {
    const name = waiting.pop() as string;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      real = real.slice(0, Math.max(0, real.lastIndexOf("/")));
      continue;
    }
    const target = linkTarget(`${real}/${name}`);
    if (target === undefined) {
      real = `${real}/${name}`;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return undefined;
    if (target.startsWith("/")) real = "";
    waiting = [...waiting, ...target.split("/").reverse()];
  }
  return real === "" ? "/" : real;
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    // What is not there leads nowhere else.
    return undefined;
  }
}

function below(root: string, path: string): string | undefined {
  if (path === root) return "";
  const prefix = root === "/" ? "/" : `${root}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

function readScripts(file: string): readonly string[] {
  try {
    const stats = statsOf(file);
    if (stats === undefined || !stats.isFile() || stats.size > MAX_PACKAGE_BYTES) return [];
    const { scripts } = JSON.parse(readFileSync(file, "utf8")) as { scripts?: unknown };
    return typeof scripts === "object" && scripts !== null ? Object.keys(scripts) : [];
  } catch {
    return [];
  }
}

const MAX_LINKS = 40;
const MAX_PACKAGE_BYTES = 1024 * 1024;
