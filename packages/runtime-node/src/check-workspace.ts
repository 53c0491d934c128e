import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ToolError } from "@haft/core";

/** The absolute path of a folder that can be worked in; throws before anything is made beside a wrong one. */
export async function checkWorkspace(folder: string): Promise<string> {
  if (typeof folder !== "string" || folder === "" || folder.includes("\0"))
    throw new ToolError("INVALID_PATH", "The workspace must be the path of a folder");
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

function unusable(path: string, cause: NodeJS.ErrnoException): ToolError {
  if (cause.code === "ENOENT" || cause.code === "ENOTDIR")
    return new ToolError("PATH_NOT_FOUND", `There is no folder ${path} to work in`, {
      hint: "Make it first, or name another as the workspace.",
      cause,
    });
  if (cause.code === "EACCES" || cause.code === "EPERM")
    return new ToolError("PERMISSION_DENIED", `The workspace ${path} cannot be read`, { cause });
  return new ToolError("IO_ERROR", `The workspace ${path} cannot be opened (${cause.code})`, { cause });
}
