import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { ToolError } from "@haft/core";
import { isBelow } from "../fs/is-below.js";

/**
 * Returns the directories for program lookup, fixed when the runtime is created: no relative entry and none inside
 * the workspace, so that a file written by a model is never run as a system program.
 */
export function programDirectories(path: string | undefined, workspaceRoot: string): readonly string[] {
  const entries = (path ?? DEFAULT_PATH).split(delimiter).filter((entry) => isAbsolute(entry));
  const outside = entries.map((entry) => resolve(entry)).filter((entry) => !isBelow(workspaceRoot, entry));
  return [...new Set(outside)];
}

/** Resolves a program's name to a file. A name with a slash is a path: absolute, or below `cwd`. */
export function findProgram(name: string, directories: readonly string[], cwd: string): string {
  const program = programIfAny(name, directories, cwd);
  if (program === undefined) throw notFound(name);
  return program;
}

/** Resolves a program's name like `findProgram`, but returns undefined if it does not exist. */
export function programIfAny(name: string, directories: readonly string[], cwd: string): string | undefined {
  if (name.includes("\0") || name === "") return undefined;
  const candidates = name.includes("/")
    ? [resolve(cwd, name)]
    : directories.map((directory) => join(directory, name));
  return candidates.find(isExecutable);
}

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

// Synchronous and without exceptions, because every program start needs it.
function isExecutable(file: string): boolean {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function notFound(name: string): ToolError {
  return new ToolError(
    "EXECUTION_ERROR",
    `There is no program called ${JSON.stringify(name.slice(0, 80))} on this machine`,
    { hint: "Programs are looked up in the system's directories, never in the workspace." },
  );
}
