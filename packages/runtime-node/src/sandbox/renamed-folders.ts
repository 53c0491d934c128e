import { lstatSync, readdirSync } from "node:fs";
import { join, normalize, relative } from "node:path";
import type { SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import { isInside } from "@haft/core/workspace";
import { MAX_COPIED } from "./copied-view.js";
import type { WorkspaceScan } from "./workspace-scan.js";

interface RenamingRun {
  readonly workspace: { readonly root: string };
  readonly scan: Pick<WorkspaceScan, "ignored" | "packages" | "repositories">;
  /** What a run printed that failed to rename a folder. */
  readonly failed?: Pick<SandboxOutcome, "stdout" | "stderr"> | undefined;
}

/**
 * Returns the folders of the workspace that a command names, or the error message of a rename that failed: those that it
 * probably renames. Leaves out what is too large to copy, and what the box mounts itself.
 */
export function renamedFolders(
  { argv, script, cwd = "." }: SandboxRequest,
  { workspace, scan, failed }: RenamingRun,
): readonly string[] {
  const lines = `${failed?.stderr.text ?? ""}\n${failed?.stdout.text ?? ""}`.split("\n");
  const told = lines.filter((line) => RENAME_FAILED.test(line));
  const words = [...told, ...argv, script?.content ?? ""].flatMap((text) => wordsOf(text.slice(-MAX_TEXT)));
  const paths = words
    .slice(0, MAX_WORDS)
    .flatMap((word) => [inWorkspace(workspace.root, cwd, word), inWorkspace(workspace.root, ".", word)]);
  const mounted = [...scan.ignored, ...scan.packages, ...scan.repositories];
  const folders = [...new Set(paths)].filter(
    (path): path is string =>
      path !== undefined && !mounted.some((each) => isInside(path, each)) && isFolder(workspace.root, path),
  );
  const outermost = folders.filter((path) => !folders.some((each) => each !== path && isInside(path, each)));
  return fitting(workspace.root, outermost.slice(0, MAX_FOLDERS));
}

/** Programs name the folder in their message, between quotes or with a colon after it. */
export const RENAME_FAILED = /\bEXDEV\b|cross-device link/i;

/** A path between quotes may contain blanks. */
function wordsOf(text: string): readonly string[] {
  return [...Array.from(text.matchAll(QUOTED), ([, , path = ""]) => path), ...text.split(BETWEEN_PATHS)];
}

// The first blank ends the first part: with blanks in both, a long text without a closing quote would block the thread for seconds.
const QUOTED = /(['"`])([^'"`\n ]* [^'"`\n]*)\1/g;
const BETWEEN_PATHS = /[\s'"`,:;()[\]=<>|&]+/;
const MAX_TEXT = 65_536;
const MAX_WORDS = 2_000;
const MAX_FOLDERS = 16;

function inWorkspace(root: string, cwd: string, word: string): string | undefined {
  if (word === "" || word.startsWith("-") || word.includes("\0")) return undefined;
  const path = word.startsWith("/") ? relative(root, word) : normalize(join(cwd, word));
  const trimmed = path.replace(/\/+$/, "");
  return trimmed === "" || trimmed === "." || trimmed.startsWith("..") ? undefined : trimmed;
}

/** Returns the first folders that are small enough together. */
function fitting(root: string, folders: readonly string[]): readonly string[] {
  let room = { ...MAX_COPIED };
  return folders.filter((path) => {
    try {
      const left = { ...room };
      if (!fits(join(root, path), left)) return false;
      room = left;
      return true;
    } catch {
      // It cannot be read as a whole, so it cannot be copied.
      return false;
    }
  });
}

/** A link on the way may lead out of the workspace. Words of a command need not be paths at all. */
function isFolder(root: string, path: string): boolean {
  const names = path.split("/");
  try {
    return names.every((_, at) => lstatSync(join(root, ...names.slice(0, at + 1))).isDirectory());
  } catch {
    return false;
  }
}

function fits(folder: string, room: { entries: number; bytes: number }): boolean {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    room.entries -= 1;
    if (entry.isFile()) room.bytes -= lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (room.entries < 0 || room.bytes < 0) return false;
    if (entry.isDirectory() && !fits(path, room)) return false;
  }
  return true;
}
