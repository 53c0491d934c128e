import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isBelow } from "../fs/is-below.js";

/**
 * Lists the paths that the MCP servers of a configuration may run: every word of `command`, `args` and `env`, from the
 * folder where the server starts and from each folder among the words. A word may be an option with a value
 * (`--script=x.py`) or part of a shell command. Most of the paths do not exist. Takes a configuration that was not
 * checked yet.
 */
export function launchedPaths(mcpServers: unknown, folder: string): readonly string[] {
  if (!isRecord(mcpServers)) return [];
  return [...new Set(Object.values(mcpServers).flatMap((server) => pathsOf(server, folder)))];
}

/**
 * Lists the files in the folder of a configuration that its MCP servers run, in any language: tools can write there.
 * Adds the file that Python or Node runs for a module or a folder.
 */
export function launchedFiles(mcpServers: unknown, file: string): readonly string[] {
  const folder = dirname(file);
  return launchedPaths(mcpServers, folder)
    .filter((path) => isBelow(folder, path))
    .flatMap((path) => [path, ...impliedFiles(path), ...impliedFiles(modulePath(path))])
    .filter(isFile);
}

/** Lists the files that Python and Node run for a module or folder of this name. */
function impliedFiles(path: string): readonly string[] {
  return IMPLIED.map((end) => `${path}${end}`);
}

const IMPLIED = [".py", "/__main__.py", ".js", ".cjs", ".mjs", "/index.js"];

/** `python -m tools.server` runs tools/server.py. */
function modulePath(path: string): string {
  return join(dirname(path), basename(path).replaceAll(".", "/"));
}

function pathsOf(server: unknown, folder: string): readonly string[] {
  if (!isRecord(server)) return [];
  const { command, args, cwd, env } = server;
  const start = typeof cwd === "string" ? resolve(folder, cwd) : folder;
  const program = typeof command === "string" ? [command] : [];
  // Variables such as NODE_OPTIONS name files too.
  const given = [...(Array.isArray(args) ? args : []), ...(isRecord(env) ? Object.values(env) : [])];
  const words = given.filter((arg) => typeof arg === "string").flatMap(wordsOf);
  const manifests = [...program, ...words].flatMap((word) => MANIFESTS.get(basename(word)) ?? []);
  // A name without a slash is looked up in PATH.
  const named = [...program.filter((name) => name.includes("/")), ...words, ...manifests];
  const inStart = named.map((word) => resolve(start, word));
  // A server may first change to a folder, or search for its modules in one.
  const folders = [...new Set(inStart)].filter((path) => isBelow(folder, path) && isFolder(path));
  const below = folders
    .slice(0, MAX_FOLDERS)
    .flatMap((place) => named.map((word) => resolve(place, word)))
    .filter((path) => [path, ...impliedFiles(path)].some(isFile));
  return [...inStart, ...below];
}

const MAX_FOLDERS = 8;

/** What these programs run is named in a file. */
const MANIFESTS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["npm", ["package.json"]],
  ["npx", ["package.json"]],
  ["pnpm", ["package.json"]],
  ["yarn", ["package.json"]],
  ["bun", ["package.json"]],
  ["bunx", ["package.json"]],
  ["deno", ["deno.json", "deno.jsonc", "package.json"]],
  ["make", ["GNUmakefile", "makefile", "Makefile"]],
  ["just", ["justfile", "Justfile"]],
  ["uv", ["pyproject.toml"]],
  ["poetry", ["pyproject.toml"]],
]);

/**
 * A short option may have its value without a blank: `-r./hook.js`. A shell drops quotes within a word:
 * `s\\erver''.js`.
 */
function wordsOf(arg: string): readonly string[] {
  const split = [arg, ...arg.split(SEPARATORS), ...arg.replace(/["'\\]/g, "").split(SEPARATORS)];
  const words = new Set([...split, ...split.map((word) => word.replace(/^-\w/, ""))]);
  return [...words].filter((word) => !NO_PATH.test(word) && word.length <= MAX_WORD_CHARS);
}

/** An option, an address, or nothing. */
const NO_PATH = /^-|:\/\/|^$/;

const SEPARATORS = /[\s"'`=;|&()<>,]+/;
const MAX_WORD_CHARS = 1_024;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Returns false for a path that cannot be a file, such as one with NUL or one below another file. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
