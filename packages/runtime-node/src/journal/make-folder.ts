import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "../workspace/system-error.js";
import { stateError } from "./state-error.js";

/**
 * A folder for what is kept beside a workspace, and those above it, for its owner alone. Throws a
 * ToolError that says what to do. Node's own `recursive` never comes back where a file system takes
 * no new folder at all, as below /proc.
 */
export function makeFolder(path: string): void {
  try {
    makeWithParents(path);
  } catch (cause) {
    throw stateError(cause, NO_PLACE);
  }
}

function makeWithParents(path: string): void {
  if (isMade(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeWithParents(parent);
  if (!isMade(path)) throw Object.assign(new Error(`no folder can be made at ${path}`), { code: "ENOENT" });
}

/** False when the folder above it is not there. */
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

const NO_PLACE = "What is kept beside this workspace has no place: its folder cannot be made";
