import type { FolderEntry } from "../walk/folder-entry.js";

/** What the portable engine searches: a workspace in memory, an overlay, anything remote. */
export interface SearchSource {
  /** The entries of a folder; the path has no trailing slash and is "" for the root. */
  list(folder: string): Promise<readonly FolderEntry[]>;
  readBytes(path: string): Promise<Uint8Array>;
  /** False for what must not be opened; folders come with a trailing slash. */
  mayOpen?(path: string): boolean;
}
