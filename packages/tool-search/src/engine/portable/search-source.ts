import type { FolderEntry } from "../walk/folder-entry.js";

/** What the portable engine searches: a workspace in memory, an overlay, a remote store. */
export interface SearchSource {
  /** Lists the entries of a folder. The path has no trailing slash and is "" for the root. */
  list(folder: string): Promise<readonly FolderEntry[]>;
  readBytes(path: string): Promise<Uint8Array>;
  /** Returns false for a path that must not be opened. Folders have a trailing slash. */
  mayOpen?(path: string): boolean;
}
