import type { FileEntry, WorkspaceReader } from "@haft/core";
import type { ListDirectoryArgs } from "./list-directory-schema.js";

/** One directory as it is listed: what is shown, in order, and how much is not. */
export interface DirectoryView {
  readonly shown: readonly FileEntry[];
  readonly hidden: number;
  readonly ignored: number;
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
  const marked = await unignored(path, options, workspace);
  const shown: FileEntry[] = [];
  let hidden = 0;
  let ignored = 0;
  for (const entry of all) {
    const visible = marked.get(entry.name);
    if (!options.include_hidden && entry.name.startsWith(".")) hidden += 1;
    else if (visible === undefined) ignored += 1;
    else shown.push(collapsed(visible, options));
  }
  return { shown: shown.sort(inOrder(options.sort)), hidden, ignored };
}

/** The entries that ignore files let through, and directories with the mark that they do not. */
async function unignored(
  path: string,
  { include_ignored: includeIgnored }: ViewOptions,
  workspace: WorkspaceReader,
): Promise<ReadonlyMap<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  for await (const entry of workspace.walk(path, { maxDepth: 1, includeHidden: true, includeIgnored }))
    entries.set(entry.name, entry);
  return entries;
}

/** What packages and tools fill is never what is looked for, whether or not an ignore file says so. */
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
    // By code point: the same on every machine.
    (a.name < b.name ? -1 : Number(a.name > b.name));
}
