import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { type IgnoreTexts, linkedGitFolder, placeBehind } from "@haft/text/path-rules";
import type { FolderEntry } from "../walk/folder-entry.js";
import { FolderView } from "./folder-view.js";
import type { HeldFolder } from "./held-folder.js";
import { readRules } from "./read-rules.js";

/** Reads a held folder's entries and its ignore files. `path` is relative to the root, with a trailing slash. */
export function viewOf(folder: HeldFolder, path: string): FolderView {
  const entries = readdirSync(folder.at, { withFileTypes: true }).map((entry) => describe(folder.at, entry));
  const ignoreFiles = ignoreFilesOf(entries);
  const isLinked = entries.some(({ name, kind }) => name === ".git" && kind === "file");
  const texts = ignoreTexts(folder, ignoreFiles, isLinked);
  return new FolderView(path, entries, { ignoreFiles, texts, isLinked });
}

/** Returns the ignore files inside a folder. */
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

// Some file systems do not report the kind in listings.
function askForKind(path: string): FolderEntry["kind"] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return "file";
  if (stats?.isDirectory()) return "folder";
  return stats?.isSymbolicLink() ? "link" : "other";
}

function ignoreTexts(
  folder: HeldFolder,
  names: readonly string[],
  isLinked: boolean,
): IgnoreTexts | undefined {
  if (names.length === 0) return undefined;
  const text = (name: string) => (names.includes(name) ? readRules(folder.at + name) : undefined);
  return {
    ignore: text(".ignore"),
    gitignore: text(".gitignore"),
    exclude: !names.includes(EXCLUDE) ? undefined : isLinked ? readLinked(folder) : readExclude(folder),
    isRepository: names.includes(EXCLUDE),
  };
}

// In a linked worktree, `.git` names a folder elsewhere, which names the folder shared by all worktrees.
function readLinked(folder: HeldFolder): string | undefined {
  const linked = linkedGitFolder(readRules(`${folder.at}.git`));
  if (linked === undefined) return undefined;
  const own = placeBehind(folder.at, linked);
  const common = readRules(`${own}/commondir`)?.trim();
  return readRules(`${common ? placeBehind(own, common) : own}/info/exclude`);
}

// Name by name: `.git` or `info` may be a link too.
function readExclude(folder: HeldFolder): string | undefined {
  const held: HeldFolder[] = [];
  try {
    held.push(folder.child(".git"));
    held.push((held[0] as HeldFolder).child("info"));
    return readRules(`${held[1]?.at}exclude`);
  } catch {
    // No repository here, or an unreadable one: no rules.
    return undefined;
  } finally {
    for (const each of held) each.close();
  }
}
