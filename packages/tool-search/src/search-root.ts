import { type FileStat, type NextCall, ToolError } from "@haft/core";
import { baseName, joinPath, normalizePath, parentPath } from "@haft/core/workspace";
import { nearestNames, renderInline } from "@haft/text";
import type { ReadableWorkspace } from "./workspace-search/workspace-source.js";

/**
 * Resolves where a search begins: a folder or one file. A missing path is an error with similar existing names,
 * because an empty result would read as an answer.
 */
export async function searchRoot(
  path: string,
  workspace: ReadableWorkspace,
  next: (path: string) => NextCall,
): Promise<FileStat> {
  const found = await workspace.stat(path).catch(async (error: unknown) => {
    throw await withNearest(error, { path, workspace, next });
  });
  if (found.type === "file" || found.type === "directory") return found;
  throw new ToolError("NOT_A_FILE", `${path} is a pipe, socket or device, not a regular file`, {
    hint: "Only folders and regular files can be searched.",
  });
}

interface MissingRoot {
  readonly path: string;
  readonly workspace: ReadableWorkspace;
  readonly next: (path: string) => NextCall;
}

async function withNearest(error: unknown, { path, workspace, next }: MissingRoot): Promise<unknown> {
  if (!ToolError.is(error) || !["FILE_NOT_FOUND", "PATH_NOT_FOUND"].includes(error.code)) return error;
  const nearest = await nearestPaths(path, workspace);
  const [best] = nearest;
  return new ToolError("PATH_NOT_FOUND", `Path not found: ${path}`, {
    hint: best
      ? `Did you mean ${nearest.map((name) => renderInline(name)).join(", ")}?`
      : "Leave path out to search the whole workspace.",
    details: { nearest },
    ...(best ? { next: next(best) } : {}),
    cause: error,
  });
}

/** Returns up to three similar paths, in the form of the given one. */
async function nearestPaths(given: string, workspace: ReadableWorkspace): Promise<readonly string[]> {
  const root = workspace.absolute("").replace(/\/+$/, "");
  const isAbsolute = given.startsWith("/");
  const path = normalizePath(
    isAbsolute && given.startsWith(`${root}/`) ? given.slice(root.length + 1) : given,
  );
  if (path === undefined || path === "") return [];
  const found = await siblingsLike(path, workspace);
  return isAbsolute ? found.map((near) => workspace.absolute(near)) : found;
}

/** Looks for the missing name in the nearest existing folder above it. */
async function siblingsLike(path: string, workspace: ReadableWorkspace): Promise<readonly string[]> {
  const folder = parentPath(path);
  const names = await workspace.list(folder === "" ? "." : folder).then(
    (entries) => entries.map((entry) => entry.name),
    // Suggestions are optional: failing to list the folder is not the caller's error.
    () => undefined,
  );
  if (names) return nearestNames(baseName(path), names, 3).map((name) => joinPath(folder, name));
  return folder === "" ? [] : siblingsLike(folder, workspace);
}
