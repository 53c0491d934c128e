import type { ChangeSummary } from "@haft/core";
import { plural } from "./duration.js";

/** Describes the size of changes without their lines. Folders include the size of their content. */
export function sizeWords(changes: readonly ChangeSummary[]): string {
  const folders = changes.filter(({ entries }) => entries !== undefined);
  const others = changes.filter(({ entries }) => entries === undefined);
  const newFolders = others.filter(isNewFolder).length;
  const files = new Set(others.filter((change) => !isNewFolder(change)).map(({ path }) => path)).size;
  const entries = folders.reduce((sum, folder) => sum + (folder.entries ?? 0), 0);
  const parts = [
    ...(folders.length === 0
      ? []
      : [`${plural(folders.length, "folder")} with ${plural(entries, "entry", "entries")}`]),
    ...(files === 0 ? [] : [plural(files, "file")]),
    ...(newFolders === 0 ? [] : [plural(newFolders, "new folder")]),
  ];
  return parts.length === 0 ? "No files" : parts.join(", ");
}

/** A new file has content and a hash, a new link a target. */
function isNewFolder({ kind, diff, afterHash }: ChangeSummary): boolean {
  return kind === "create" && diff === undefined && afterHash === undefined;
}
