import { type Dirent, lstatSync, readdirSync, readFileSync } from "node:fs";
import type { IgnoreTexts } from "@haft/text/path-rules";
import type { FolderEntry } from "../walk/folder-entry.js";
import { FolderView } from "./folder-view.js";

/** Reads a folder and its ignore files. `path` is relative to the root, with a trailing slash. */
export function readFolder(root: string, path: string): FolderView {
  const full = `${root}/${path}`;
  const entries = readdirSync(full, { withFileTypes: true }).map((entry) => describe(full, entry));
  return new FolderView(path, entries, ignoreTexts(full, entries));
}

/** The files inside a folder that say what to leave out of it. */
export function ignoreFilesOf(entries: readonly FolderEntry[]): readonly string[] {
  const found: string[] = [];
  for (const { name } of entries) {
    if (name === ".gitignore" || name === ".ignore") found.push(name);
    else if (name === ".git") found.push(EXCLUDE);
  }
  return found;
}

const EXCLUDE = ".git/info/exclude";

function describe(folder: string, entry: Dirent): FolderEntry {
  const { name } = entry;
  if (entry.isFile()) return { name, kind: "file" };
  if (entry.isDirectory()) return { name, kind: "folder" };
  if (entry.isSymbolicLink()) return { name, kind: "link" };
  if (entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice())
    return { name, kind: "other" };
  return { name, kind: askForKind(folder + name) };
}

// Some file systems do not tell the kind while listing.
function askForKind(path: string): FolderEntry["kind"] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return "file";
  if (stats?.isDirectory()) return "folder";
  return stats?.isSymbolicLink() ? "link" : "other";
}

function ignoreTexts(folder: string, entries: readonly FolderEntry[]): IgnoreTexts | undefined {
  const names = ignoreFilesOf(entries);
  if (names.length === 0) return undefined;
  const text = (name: string) => (names.includes(name) ? textOf(folder + name) : undefined);
  return {
    ignore: text(".ignore"),
    gitignore: text(".gitignore"),
    exclude: text(EXCLUDE),
    isRepository: names.includes(EXCLUDE),
  };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Absent, or not ours to read: it rules nothing.
    return undefined;
  }
}
