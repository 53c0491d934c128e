import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import type { CommandHost } from "@haft/core/capabilities";
import type { LocalFolder } from "@haft/core/workspace";
import { holdsSensitiveNames } from "@haft/text/path-rules";
import { namesIfReadable } from "../fs/if-readable.js";
import type { NpmRegistry } from "../network/npm-registries.js";
import type { BoxProbe } from "../sandbox/choose-sandbox.js";
import { type Environment, scrubbedEnvironment } from "../secrets/scrubbed-environment.js";
import { boxedGit } from "./boxed-git.js";
import { followLinks } from "./follow-links.js";
import {
  gitFolders,
  gitIdentity,
  gitKeys,
  gitKinds,
  gitLogNames,
  gitRemoteHosts,
  gitTrackedNames,
} from "./git-questions.js";
import { KnownGitKeys } from "./known-git-keys.js";
import { linkedWorktree } from "./linked-worktree.js";
import { programDirectories } from "./program-path.js";

interface CommandHostOptions {
  /** The folder and the guard that decides which of its files may be opened. */
  readonly local: LocalFolder;
  readonly env: Environment;
  /** If undefined, commands run on the host. */
  readonly boxProbe?: BoxProbe | undefined;
  /** Whether an approver is attached. */
  readonly canAsk?: (() => boolean) | undefined;
  readonly registries?: (() => readonly NpmRegistry[]) | undefined;
}

/** Answers a command policy's questions about this machine. */
export function nodeCommandHost(options: CommandHostOptions): CommandHost {
  const { local, env, boxProbe, canAsk, registries } = options;
  const directories = programDirectories(env.PATH, local.root);
  const childEnv = {
    ...scrubbedEnvironment({ ...env, PATH: directories.join(":") }),
    GIT_CEILING_DIRECTORIES: posix.dirname(local.root),
  };
  const hasBox = async () => (await boxProbe?.find()) === true;
  const launcher = boxedGit({ root: local.root, env, hasBox });
  const inDirectory = async (cwd: string) => {
    const directory = posix.resolve(local.root, cwd);
    return { cwd: directory, env: childEnv, launcher: await launcher(directory) };
  };
  const keys = new KnownGitKeys(local.root);
  let identity: Promise<Readonly<Record<string, string>>> | undefined;
  return {
    hasBox,
    canAsk: canAsk ?? (() => false),
    judgePath: (path, cwd) =>
      boxProbe?.answer === true && isPrivateInBox(path) ? "inside" : judgePath(path, cwd, local),
    placeOf: (path, cwd) => below(local.root, posix.resolve(local.root, cwd, path)),
    list: (folder) => entriesIn(posix.resolve(local.root, folder)),
    scripts: (folder = ".") => packageScripts(posix.resolve(local.root, folder, "package.json")),
    gitKeys: (cwd) => keys.of(posix.resolve(local.root, cwd), async () => gitKeys(await inDirectory(cwd))),
    gitKinds: async (names, cwd) => gitKinds(names, await inDirectory(cwd)),
    gitLogNames: async (args, cwd) => gitLogNames(args, await inDirectory(cwd)),
    npmRegistries: () =>
      (registries?.() ?? []).map(({ url, isTrusted }) => ({ host: new URL(url).host, isTrusted })),
    gitTrackedNames: async (cwd) => gitTrackedNames(await inDirectory(cwd)),
    gitIsElsewhere: (cwd) =>
      isElsewhere(posix.resolve(local.root, cwd), local.root, async () => gitFolders(await inDirectory(cwd))),
    gitRemoteHosts: async (cwd) => gitRemoteHosts(await inDirectory(cwd)),
    gitIdentity: () => {
      identity ??= gitIdentity(childEnv);
      return identity;
    },
  };
}

/** Asks git only if the nearest `.git` is a file or a link, which leads elsewhere. */
async function isElsewhere(
  directory: string,
  root: string,
  folders: () => Promise<readonly string[] | undefined>,
): Promise<boolean> {
  const linked = linkedWorktree(root)?.commonDirectory;
  for (let at = directory; below(root, at) !== undefined; at = posix.dirname(at)) {
    const stats = statsOf(`${at}/.git`);
    if (stats?.isDirectory() === true && statsOf(`${at}/.git/commondir`) === undefined) return false;
    if (stats !== undefined)
      return ((await folders()) ?? ["/"]).some((folder) => {
        const real = followLinks(folder) ?? "/";
        return below(root, real) === undefined && (linked === undefined || below(linked, real) === undefined);
      });
    if (at === root) return false;
  }
  return false;
}

/**
 * Returns true for paths that the box replaces with its own: temporary files and devices. A file that the host has
 * there belongs to the host.
 */
function isPrivateInBox(path: string): boolean {
  if (/^\/dev\/(?:zero|full|u?random|std(?:in|out|err)|tty|fd\/\d+)$/.test(path)) return true;
  return /^\/tmp\/./.test(path) && posix.normalize(path) === path && statsOf(path) === undefined;
}

function judgePath(path: string, cwd: string, local: LocalFolder): ReturnType<CommandHost["judgePath"]> {
  if (path.includes("\0")) return "outside";
  const from = posix.isAbsolute(path) ? path : `${posix.resolve(local.root, cwd)}/${path}`;
  const real = followLinks(from);
  if (real === undefined) return "outside";
  const inside = below(local.root, real);
  if (inside === undefined) return "outside";
  // Both names count, the one given and the real one: `.env` may be a link to something harmless.
  const named = below(local.root, posix.normalize(from));
  const isOpen = [inside, named ?? ""].every((each) => each === "" || mayOpenBelow(each, local));
  return isOpen && !hasSecretName(real, local) ? "inside" : "sensitive";
}

/**
 * Checks the files below a directory: a directory with secrets may be listed, but a program that gets it reads its
 * files.
 */
function mayOpenBelow(path: string, local: LocalFolder): boolean {
  if (!local.mayOpen(path) || !local.mayOpen(`${path}/x`)) return false;
  return !holdsSensitiveNames(path.toLowerCase().split("/"));
}

/**
 * Returns whether a file also has a sensitive name through a hard link beside it or in the root. Links elsewhere are
 * a known limit.
 */
function hasSecretName(file: string, local: LocalFolder): boolean {
  const stats = statsOf(file);
  if (stats === undefined || !stats.isFile() || stats.nlink < 2) return false;
  return [posix.dirname(file), local.root].some((directory) =>
    namesIfReadable(directory).some((name) => {
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

function entriesIn(directory: string): ReturnType<CommandHost["list"]> {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    // A link may point to a folder; listing it shows that.
    return entries.map((each) => ({
      name: each.name,
      isDirectory: each.isDirectory() || each.isSymbolicLink(),
    }));
  } catch {
    return [];
  }
}

function below(root: string, path: string): string | undefined {
  if (path === root) return "";
  const prefix = root === "/" ? "/" : `${root}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/** Returns the scripts of a package.json by name. Empty if the file is missing, too large or malformed. */
function packageScripts(file: string): Readonly<Record<string, string>> {
  try {
    const stats = lstatSync(file);
    if (!stats.isFile() || stats.size > MAX_PACKAGE_BYTES) return {};
    const { scripts } = JSON.parse(readFileSync(file, "utf8")) as { scripts?: unknown };
    if (typeof scripts !== "object" || scripts === null) return {};
    return Object.fromEntries(Object.entries(scripts).map(([name, text]) => [name, String(text)]));
  } catch {
    return {};
  }
}

const MAX_PACKAGE_BYTES = 1024 * 1024;
