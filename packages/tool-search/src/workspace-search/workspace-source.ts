import type { FileType, WorkspaceFor } from "@haft/core";
import type { SearchSource } from "../engine/portable/search-source.js";
import type { FolderEntry } from "../engine/walk/folder-entry.js";

export type ReadableWorkspace = WorkspaceFor<"ReadFiles">;

/** Any workspace, as the portable engine reads it. What may not be opened is refused by the workspace itself. */
export function workspaceSource(workspace: ReadableWorkspace, maxFileBytes: number): SearchSource {
  return {
    list: async (folder) => {
      const entries = await workspace.list(folder === "" ? "." : folder);
      return entries.map(({ name, type }) => ({ name, kind: KINDS[type] }));
    },
    // One byte more is enough to know that a file is too large.
    readBytes: (path) => workspace.readBytes(path, { start: 0, end: maxFileBytes + 1 }),
  };
}

const KINDS: Readonly<Record<FileType, FolderEntry["kind"]>> = {
  file: "file",
  directory: "folder",
  symlink: "link",
  other: "other",
};
