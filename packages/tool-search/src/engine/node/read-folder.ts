import { type Dirent, lstatSync, readdirSync } from "node:fs";
import type { IgnoreTexts } from "@haft/text/path-rules";
import type { FolderEntry } from "../walk/folder-entry.js";
import { FolderView } from "./folder-view.js";
import type { HeldFolder } from "./held-folder.js";
import { readRules } from "./read-rules.js";

/** A held folder's entries and its ignore files. `path` is relative to the root, with a trailing slash. */
export function viewOf(folder: HeldFolder, path: string): FolderView {
  const entries = readdirSync(folder.at, { withFileTypes: true }).map((entry) => describe(folder.at, entry));
  const ignoreFiles = ignoreFilesOf(entries);
  return new FolderView(path, entries, { ignoreFiles, texts: ignoreTexts(folder, ignoreFiles) });
}

/** The files inside a folder that say what to leave out of it. */
function ignoreFilesOf(entries: readonly FolderEntry[]): readonly string[] {
  const found: string[] = [];
  for (let index = 0; index < entries.length; index++) {
    const { name } = entries[index] as FolderEntry;
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

function ignoreTexts(folder: HeldFolder, names: readonly string[]): IgnoreTexts | undefined {
  if (names.length === 0) return undefined;
  const text = (name: string) => (names.includes(name) ? readRules(folder.at + name) : undefined);
  return {
    ignore: text(".ignore"),
    gitignore: text(".gitignore"),
    exclude: names.includes(EXCLUDE) ? readExclude(folder) : undefined,
    isRepository: names.includes(EXCLUDE),
  };
}

// Name by name: `.git` or `info` may be a link, too.
function readExclude(folder: HeldFolder): string | undefined {
  const held: HeldFolder[] = [];
  try {
    held.push(folder.child(".git"));
    held.push((held[0] as HeldFolder).child("info"));
    return readRules(`${held[1]?.at}exclude`);
  } catch {
    // No repository of its own, or not ours to read: it rules nothing.
    return undefined;
  } finally {
    for (const each of held) each.close();
  }
}
