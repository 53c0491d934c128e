import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isBelow } from "../fs/is-below.js";

/**
 * Lists the paths that the MCP servers of a configuration may run: every word of `command` and `args`, from the folder
 * where the server starts. A word may be an option with a value (`--script=x.py`) or part of a shell command. Most of
 * the paths do not exist. Takes a configuration that was not checked yet.
 */
export function launchedPaths(mcpServers: unknown, folder: string): readonly string[] {
  if (!isRecord(mcpServers)) return [];
  return [...new Set(Object.values(mcpServers).flatMap((server) => pathsOf(server, folder)))];
}

/**
 * Lists the files in the folder of a configuration that its MCP servers run, in any language: tools can write there.
 * Adds the file that Python runs for a module or a folder.
 */
export function launchedFiles(mcpServers: unknown, file: string): readonly string[] {
  const folder = dirname(file);
  return launchedPaths(mcpServers, folder)
    .filter((path) => isBelow(folder, path))
    .flatMap((path) => [path, ...pythonFiles(path), ...pythonFiles(modulePath(path))])
    .filter(isFile);
}

function pythonFiles(path: string): readonly string[] {
  return [`${path}.py`, `${path}/__main__.py`];
}

/** `python -m tools.server` runs tools/server.py. */
function modulePath(path: string): string {
  return join(dirname(path), basename(path).replaceAll(".", "/"));
}

function pathsOf(server: unknown, folder: string): readonly string[] {
  if (!isRecord(server)) return [];
  const { command, args, cwd } = server;
  const start = typeof cwd === "string" ? resolve(folder, cwd) : folder;
  // A name without a slash is looked up in PATH.
  const program = typeof command === "string" && command.includes("/") ? [command] : [];
  const given = (Array.isArray(args) ? args : []).filter((arg) => typeof arg === "string");
  return [...program, ...given.flatMap(wordsOf)].map((word) => resolve(start, word));
}

function wordsOf(arg: string): readonly string[] {
  const words = new Set([arg, ...arg.split(SEPARATORS)]);
  return [...words].filter((word) => !NO_PATH.test(word) && word.length <= MAX_WORD_CHARS);
}

/** An option, an address, or nothing. */
const NO_PATH = /^-|:\/\/|^$/;

const SEPARATORS = /[\s"'`=;|&()<>,]+/;
const MAX_WORD_CHARS = 1_024;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns false for a path that cannot be a file, such as one with NUL or one below another file. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
