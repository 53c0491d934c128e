import type { WorkspaceFor } from "@haft/core";
import type { FileType } from "@haft/core/workspace";
import type { SearchSource } from "../engine/portable/search-source.js";
import type { FolderEntry } from "../engine/walk/folder-entry.js";

export type ReadableWorkspace = WorkspaceFor<"ReadFiles">;

/** Adapts any workspace for the portable engine. The workspace itself refuses to open what it must not. */
export function workspaceSource(workspace: ReadableWorkspace, maxFileBytes: number): SearchSource {
  return {
    list: async (folder) => {
      const entries = await workspace.list(folder === "" ? "." : folder);
      return entries.map(({ name, type }) => ({ name, kind: KINDS[type] }));
    },
    // One extra byte shows that a file is too large.
    readBytes: (path) => workspace.readBytes(path, { start: 0, end: maxFileBytes + 1 }),
  };
}

const KINDS: Readonly<Record<FileType, FolderEntry["kind"]>> = {
  file: "file",
  directory: "folder",
  symlink: "link",
  other: "other",
};
