import type { FileType } from "./workspace.js";

/**
 * One rehearsed effect on one path. Changes are replayed in order, so `before` is the state of the path after the
 * earlier changes in the list.
 */
export type FileChange = CreateChange | ModifyChange | DeleteChange | MoveChange;

export interface CreateChange {
  readonly kind: "create";
  readonly path: string;
  readonly after: NewState;
  readonly protected?: boolean;
}

export interface ModifyChange {
  readonly kind: "modify";
  readonly path: string;
  readonly before: Snapshot;
  readonly after: FileState | KeptState | DirectoryMode;
  readonly protected?: boolean;
}

export interface DeleteChange {
  readonly kind: "delete";
  readonly path: string;
  readonly before: Snapshot;
  readonly protected?: boolean;
}

export interface MoveChange {
  readonly kind: "move";
  readonly from: string;
  readonly path: string;
  readonly before: Snapshot;
  /** The entry that the move overwrites. */
  readonly replaces?: Snapshot;
  readonly protected?: boolean;
}

/** The state of a path after a change. */
export type NewState =
  | FileState
  | KeptState
  | { readonly type: "directory"; readonly mode?: number }
  | { readonly type: "symlink"; readonly target: string };

/** New permissions of a directory that keeps its entries. */
export interface DirectoryMode {
  readonly type: "directory";
  readonly mode: number;
}

export interface FileState {
  readonly type: "file";
  /** The whole content. Joined from `parts` on first access, if there are any. */
  readonly bytes: Uint8Array;
  /** The same content in parts, most of them shared with the original. */
  readonly parts?: readonly Uint8Array[];
  readonly hash: string;
  readonly mode?: number;
  /** Modification time in milliseconds. Defaults to the time of the commit. */
  readonly modifiedMs?: number;
}

/**
 * An entry that the store kept when it was deleted or replaced, restored whole without being read. Any size and type.
 */
export interface KeptState {
  readonly type: "kept";
  /** The store's key for the entry. */
  readonly key: string;
  /** Its hash is "" if restoring the entry changes it. */
  readonly was: Snapshot;
}

/** The state of a path. Two snapshots with the same hash have the same content; "" means no hash. */
export interface Snapshot {
  readonly type: FileType;
  /** Hash of a file's bytes, a link's target, or the names and versions below a directory. */
  readonly hash: string;
  readonly size: number;
  readonly mode: number;
  /** A file's content, where it is small enough to show. */
  readonly bytes?: Uint8Array;
  /** A link's target. */
  readonly target?: string;
  /** Everything below a directory, relative to it. */
  readonly entries?: readonly string[];
}

/** The state of a directory whose permissions change: nothing below it is part of it. */
export function directoryWithMode(mode: number): Snapshot {
  return { type: "directory", hash: `mode:${mode.toString(8)}`, size: 0, mode };
}

/** Returns true for a change of a directory's permissions. */
export function isModeChange(change: FileChange): change is ModifyChange & { readonly after: DirectoryMode } {
  return change.kind === "modify" && change.after.type === "directory";
}

/** The paths a change touches. */
export function pathsOf(change: FileChange): readonly string[] {
  return change.kind === "move" ? [change.from, change.path] : [change.path];
}
