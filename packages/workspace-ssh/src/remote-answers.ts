import type { FileEntry, FileStat } from "@haft/core";
import { baseName } from "@haft/core/workspace";
import { entryIn, type RemoteEntry } from "./remote-entry.js";

/** The location that a path leads to, and the entry there. */
export interface Found {
  readonly path: string;
  readonly dangling: boolean;
  readonly entry: FileEntry | undefined;
}

export interface RemoteFound {
  readonly path: string;
  readonly dangling: boolean;
  readonly entry?: RemoteEntry | null;
}

export interface RemoteRead {
  readonly path: string;
  readonly entry: RemoteEntry;
  readonly tooLarge?: boolean;
}

export interface OpenFile {
  readonly path: string;
  readonly handle: number;
  readonly size: number;
}

/** Converts an entry whose path is already known. */
export function entryAt(path: string, remote: RemoteEntry): FileEntry {
  return { ...entryIn("", remote), path, name: baseName(path) };
}

export function statOf({ path, type, size, modifiedMs, mode }: FileEntry): FileStat {
  return { path, type, size, modifiedMs, mode };
}
