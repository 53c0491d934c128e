import type { ChangeSummary } from "@haft/core";
import { countOf, groupDigits } from "@haft/text";

interface ChangeSize {
  readonly files: number;
  /** Folders that are deleted or moved, and their contents. */
  readonly folders: number;
  readonly entries: number;
  /** Folders that are created. */
  readonly newFolders: number;
  readonly added: number;
  readonly removed: number;
}

export function changeSize(changes: readonly ChangeSummary[]): ChangeSize {
  const sizes = changes.map(({ diff = "" }) => countLines(diff));
  const files = changes.filter((change) => change.entries === undefined && !isNewFolder(change));
  return {
    files: new Set(files.map(({ path }) => path)).size,
    folders: changes.filter(({ entries }) => entries !== undefined).length,
    entries: changes.reduce((sum, { entries = 0 }) => sum + entries, 0),
    newFolders: changes.filter(isNewFolder).length,
    added: sizes.reduce((sum, { added }) => sum + added, 0),
    removed: sizes.reduce((sum, { removed }) => sum + removed, 0),
  };
}

export function describeSize({ files, folders, entries, newFolders, added, removed }: ChangeSize): string {
  const parts = [
    folders > 0 && `${countOf(folders, "folder")} with ${countOf(entries, "entry")}`,
    files > 0 && `${countOf(files, "file")}, ${describeLines({ added, removed })}`,
    newFolders > 0 && countOf(newFolders, "new folder"),
  ];
  return parts.filter((part) => part !== false).join(", ");
}

/** A new file has content and a hash, a new link a target. */
function isNewFolder({ kind, diff, afterHash, entries }: ChangeSummary): boolean {
  return kind === "create" && diff === undefined && afterHash === undefined && entries === undefined;
}

/** The changes without the folders that are only created to hold another one. */
export function withoutNewParents(changes: readonly ChangeSummary[]): readonly ChangeSummary[] {
  const parents = new Set(changes.flatMap(({ path }) => foldersOf(path)));
  return changes.filter((change) => !(isNewFolder(change) && parents.has(change.path)));
}

function foldersOf(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

export function describeLines({ added, removed }: Pick<ChangeSize, "added" | "removed">): string {
  return `+${groupDigits(added)} −${groupDigits(removed)} lines`;
}

/** Ignores the lines before the first hunk, which name the file. */
function countLines(diff: string): { readonly added: number; readonly removed: number } {
  const hunks = diff.slice(firstHunk(diff));
  return { added: hunks.match(/^\+/gm)?.length ?? 0, removed: hunks.match(/^-/gm)?.length ?? 0 };
}

/** Returns where the content of a diff starts, or its end if there is none. */
export function firstHunk(diff: string): number {
  const at = diff.search(/^@@ /m);
  return at === -1 ? diff.length : at;
}
