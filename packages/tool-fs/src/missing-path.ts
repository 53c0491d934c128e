import {
  baseName,
  type FileEntry,
  joinPath,
  type NextCall,
  normalizePath,
  parentPath,
  ToolError,
} from "@haft/core";
import { nearestNames, renderInline } from "@haft/text";

/** What it takes to look for names that are like a missing one. */
export interface DirectoryReader {
  list(path: string): Promise<readonly FileEntry[]>;
  absolute(path: string): string;
}

export interface MissingPath {
  /** As the caller wrote it. */
  readonly path: string;
  /** The call that goes on with a path that exists, where it is harmless to suggest one. */
  readonly next?: (nearest: string) => NextCall;
}

/** A "not found" error with the names that are there instead. */
export async function withNearestNames(
  error: unknown,
  workspace: DirectoryReader,
  { path, next }: MissingPath,
): Promise<unknown> {
  if (!ToolError.is(error) || !NOT_FOUND.has(error.code)) return error;
  const nearest = await nearestPaths(path, workspace);
  const [best] = nearest;
  if (best === undefined) return error;
  const advice = `Did you mean ${nearest.map((name) => renderInline(name)).join(", ")}?`;
  return new ToolError(error.code, error.message, {
    hint:
      error.hint === undefined || error.hint.startsWith("Did you mean") ? advice : `${advice} ${error.hint}`,
    details: { ...error.details, nearest },
    next: next?.(best) ?? error.next,
    cause: error,
  });
}

const NOT_FOUND = new Set(["FILE_NOT_FOUND", "PATH_NOT_FOUND"]);
const MAX_NAMES = 3;

/** Up to three paths like the given one, in the form in which it was given. */
async function nearestPaths(given: string, workspace: DirectoryReader): Promise<readonly string[]> {
  const root = workspace.absolute("").replace(/\/+$/, "");
  const isAbsolute = given.startsWith("/");
  const inside = isAbsolute && given.startsWith(`${root}/`) ? given.slice(root.length + 1) : given;
  const path = normalizePath(inside);
  if (path === undefined || path === "") return [];
  const found = await siblingsLike(path, workspace);
  return found.map((near) => (isAbsolute ? workspace.absolute(near) : near));
}

/** Walks up to the first directory that exists and looks there for the name that is missing. */
async function siblingsLike(path: string, workspace: DirectoryReader): Promise<readonly string[]> {
  const directory = parentPath(path);
  const names = await namesIn(directory, workspace);
  if (names === undefined) {
    const parents = directory === "" ? [] : await siblingsLike(directory, workspace);
    return parents.map((parent) => joinPath(parent, baseName(path)));
  }
  return likeNames(baseName(path), names).map((name) => joinPath(directory, name));
}

async function namesIn(
  directory: string,
  workspace: DirectoryReader,
): Promise<readonly string[] | undefined> {
  try {
    return (await workspace.list(directory === "" ? "." : directory)).map((entry) => entry.name);
  } catch {
    // A suggestion is a courtesy: whatever keeps the directory from being listed is not the caller's error.
    return undefined;
  }
}

/** Names that only differ in how Unicode writes them (macOS screenshots) come before similar ones. */
function likeNames(wanted: string, names: readonly string[]): readonly string[] {
  const folded = fold(wanted);
  const same = names.filter((name) => fold(name) === folded);
  return [...new Set([...same, ...nearestNames(wanted, names, MAX_NAMES)])].slice(0, MAX_NAMES);
}

function fold(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .toLowerCase();
}
