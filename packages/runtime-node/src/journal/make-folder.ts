import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "../workspace/system-error.js";
import { stateError } from "./state-error.js";
import { stateDamaged } from "./state-file.js";

/**
 * Creates a state folder and its parents, accessible to their owner only. Throws a ToolError with advice. Node's own
 * `recursive` never returns where a file system accepts no new folder, as below /proc.
 */
export function makeFolder(path: string): void {
  try {
    makeWithParents(path);
  } catch (cause) {
    if (errnoOf(cause) === "EEXIST" && isFile(path)) throw stateDamaged(path, "is not a folder");
    throw stateError(cause, NO_PLACE);
  }
}

function makeWithParents(path: string): void {
  if (isMade(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeWithParents(parent);
  if (!isMade(path))
    throw Object.assign(new Error(`no folder can be created at ${path}`), { code: "ENOENT" });
}

/** Returns false if the parent folder is missing. */
function isMade(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === "ENOENT") return false;
    if (errno === "EEXIST" && statSync(path).isDirectory()) return true;
    throw thrown;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

const NO_PLACE = "The state folder of this workspace cannot be created";
