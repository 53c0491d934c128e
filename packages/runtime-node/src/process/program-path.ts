import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, resolve } from "node:path";
import { ToolError } from "@haft/core";

/**
 * The directories programs are looked up in, fixed when the runtime is made: no relative entry and
 * none inside the workspace, so that a file a model wrote is never taken for a program of the system.
 */
export function programDirectories(path: string | undefined, workspaceRoot: string): readonly string[] {
  const entries = (path ?? DEFAULT_PATH).split(delimiter).filter((entry) => isAbsolute(entry));
  const outside = entries.map((entry) => resolve(entry)).filter((entry) => !isBelow(workspaceRoot, entry));
  return [...new Set(outside)];
}

/** The file behind a program's name. A name with a slash is a path: absolute, or below `cwd`. */
export function findProgram(name: string, directories: readonly string[], cwd: string): string {
  const program = programIfAny(name, directories, cwd);
  if (program === undefined) throw notFound(name);
  return program;
}

/** The same where none is an answer. */
export function programIfAny(name: string, directories: readonly string[], cwd: string): string | undefined {
  if (name.includes("\0") || name === "") return undefined;
  const candidates = name.includes("/")
    ? [resolve(cwd, name)]
    : directories.map((directory) => join(directory, name));
  return candidates.find(isExecutable);
}

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

// Asked in place and without exceptions: this is done for every program that starts.
function isExecutable(file: string): boolean {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

function notFound(name: string): ToolError {
  return new ToolError(
    "EXECUTION_ERROR",
    `There is no program called ${JSON.stringify(name.slice(0, 80))} on this machine`,
    { hint: "Programs are looked up in the system's directories, never in the workspace." },
  );
}
