import type { TreeEntry } from "../../src/protocol.js";
import { changed, expanded, folders } from "./tree-state.js";

export interface Row extends TreeEntry {
  readonly depth: number;
  /** Its position among the entries of its folder, counted from 1, and their number. */
  readonly place: number;
  readonly siblings: number;
}

/** Returns the rows of a folder and of the open folders in it. */
export function rowsBelow(folder: string, depth: number, rows: Row[] = []): readonly Row[] {
  const entries = folders.value.get(folder) ?? [];
  for (const [index, entry] of entries.entries()) {
    rows.push({ ...entry, depth, place: index + 1, siblings: entries.length });
    if (entry.type === "directory" && expanded.value.has(entry.path)) rowsBelow(entry.path, depth + 1, rows);
  }
  return rows;
}

/** The changed files, by full path. */
export function changedRows(): readonly Row[] {
  const paths = changed.value.map(({ path }) => path).sort();
  return paths.map((path, index) => ({
    path,
    name: path,
    type: "file",
    size: 0,
    depth: 0,
    place: index + 1,
    siblings: paths.length,
  }));
}
