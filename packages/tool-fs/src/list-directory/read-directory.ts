import type { FileEntry, WorkspaceReader } from "@haft/core";
import type { WalkOptions } from "@haft/core/workspace";
import type { ListDirectoryArgs } from "./list-directory-schema.js";

/** The listing of one directory: the entries shown, in order, and the number of hidden ones. */
interface DirectoryView {
  readonly shown: readonly FileEntry[];
  readonly hidden: number;
  readonly ignored: number;
  /** Number of skipped ignore-file lines by folder: this one and those above it. */
  readonly unobeyed: ReadonlyMap<string, number>;
}

export type ViewOptions = Pick<
  ListDirectoryArgs,
  "include_hidden" | "include_ignored" | "sort" | "recursive"
>;

export async function readDirectory(
  path: string,
  options: ViewOptions,
  workspace: WorkspaceReader,
): Promise<DirectoryView> {
  const all = await workspace.list(path);
  const unobeyed = new Map<string, number>();
  const onUnobeyedRules = (folder: string, lines: number) => void unobeyed.set(folder, lines);
  const marked = await unignored(path, { ...options, onUnobeyedRules }, workspace);
  const shown: FileEntry[] = [];
  let hidden = 0;
  let ignored = 0;
  for (const entry of all) {
    const visible = marked.get(entry.name);
    if (!options.include_hidden && entry.name.startsWith(".")) hidden += 1;
    else if (visible === undefined) ignored += 1;
    else shown.push(collapsed(visible, options));
  }
  return { shown: shown.sort(inOrder(options.sort)), hidden, ignored, unobeyed };
}

/** Returns the entries that are not ignored; ignored directories are kept and marked. */
async function unignored(
  path: string,
  {
    include_ignored: includeIgnored,
    onUnobeyedRules,
  }: ViewOptions & Required<Pick<WalkOptions, "onUnobeyedRules">>,
  workspace: WorkspaceReader,
): Promise<ReadonlyMap<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  const options = { maxDepth: 1, includeHidden: true, includeIgnored, onUnobeyedRules };
  for await (const entry of workspace.walk(path, options)) entries.set(entry.name, entry);
  return entries;
}

/** Folders filled by package managers and tools are skipped even if no ignore file lists them. */
function collapsed(entry: FileEntry, options: ViewOptions): FileEntry {
  const isBulk = options.recursive && !options.include_ignored && BULK.has(entry.name);
  return isBulk && entry.type === "directory" ? { ...entry, ignored: true } : entry;
}

const BULK = new Set(["node_modules", "bower_components", "__pycache__", ".git", ".hg", ".svn", ".venv"]);

function inOrder(sort: ListDirectoryArgs["sort"]): (a: FileEntry, b: FileEntry) => number {
  return (a, b) =>
    Number(b.type === "directory") - Number(a.type === "directory") ||
    (sort === "size" ? b.size - a.size : 0) ||
    (sort === "modified" ? b.modifiedMs - a.modifiedMs : 0) ||
    // Sorts by code point: the same on every machine.
    (a.name < b.name ? -1 : Number(a.name > b.name));
}
