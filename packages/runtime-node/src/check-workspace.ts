import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ToolError } from "@haft/core";
import { isBelow } from "./fs/is-below.js";

/** Returns the absolute path of a usable folder. Throws before anything is created beside a wrong one. */
export async function checkWorkspace(folder: string): Promise<string> {
  if (typeof folder !== "string" || folder === "" || folder.includes("\0"))
    throw new ToolError("INVALID_PATH", "workspace must be the path of a folder");
  const path = resolve(folder);
  const found = await stat(path).catch((cause) => {
    throw unusable(path, cause);
  });
  if (!found.isDirectory()) throw new ToolError("NOT_A_DIRECTORY", `The workspace ${path} is not a folder`);
  await access(path, constants.R_OK | constants.X_OK).catch((cause) => {
    throw unusable(path, cause);
  });
  return path;
}

/** SECURITY: tools in a state folder could write trust, grants and the audit log. */
export async function assertOutsideState(realRoot: string, stateFolders: readonly string[]): Promise<void> {
  for (const folder of stateFolders) {
    const real = await realpath(folder).catch(() => resolve(folder));
    if (!isBelow(real, realRoot)) continue;
    throw new ToolError("INVALID_PATH", `The workspace ${realRoot} is in Haft's state folder ${real}`, {
      hint: "Choose another workspace. No tool may reach the records of trust, approvals and decisions.",
    });
  }
}

function unusable(path: string, cause: NodeJS.ErrnoException): ToolError {
  if (cause.code === "ENOENT" || cause.code === "ENOTDIR")
    return new ToolError("PATH_NOT_FOUND", `The workspace folder ${path} does not exist`, {
      hint: "Create it, or choose another workspace.",
      cause,
    });
  if (cause.code === "EACCES" || cause.code === "EPERM")
    return new ToolError("PERMISSION_DENIED", `The workspace ${path} cannot be read`, { cause });
  return new ToolError("IO_ERROR", `The workspace ${path} cannot be opened (${cause.code})`, { cause });
}
