import { ToolError } from "@haft/core";
import { errnoOf } from "../workspace/system-error.js";

/**
 * Explains a failed write beside a workspace: who can do what about it. Returns ToolErrors, and errors that no system
 * call raised, unchanged.
 */
export function stateError(cause: unknown, what: string): unknown {
  const errno = ToolError.is(cause) ? undefined : errnoOf(cause);
  if (errno === undefined) return cause;
  const isFull = FULL.has(errno);
  return new ToolError(isFull ? "DISK_FULL" : "IO_ERROR", `${what} (${errno})`, {
    hint: isFull ? FREE_SPACE : OTHER_PLACE,
    details: { errno },
    cause,
  });
}

/** Does the same if the disk of the state folder is full. Returns other errors unchanged. */
export function stateFullError(cause: unknown, what: string): unknown {
  return FULL.has(errnoOf(cause) ?? "") ? stateError(cause, what) : cause;
}

const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);
const FREE_SPACE =
  "Nothing was done. The user has to free space on the disk of the state folder, or set XDG_STATE_HOME to another; haft doctor names the one in use.";
const OTHER_PLACE =
  "Nothing was done. The user has to set XDG_STATE_HOME to a folder that can be written; haft doctor names the one in use.";
