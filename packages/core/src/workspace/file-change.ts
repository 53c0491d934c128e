import type { FileType } from "./workspace.js";

/**
 * One rehearsed effect on one path. A list of changes is replayed in order, so `before` is what
 * stands at the path when its turn comes: what earlier changes of the list left there.
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
  readonly after: FileState | KeptState;
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
  /** What the move overwrites. */
  readonly replaces?: Snapshot;
  readonly protected?: boolean;
}

/** What a change leaves behind. */
export type NewState =
  | FileState
  | KeptState
  | { readonly type: "directory" }
  | { readonly type: "symlink"; readonly target: string };

export interface FileState {
  readonly type: "file";
  /** All of it; where there are parts it is put together when it is first asked for. */
  readonly bytes: Uint8Array;
  /** The same in parts, most of them still those of what it was made from. */
  readonly parts?: readonly Uint8Array[];
  readonly hash: string;
  readonly mode?: number;
}

/** Something the store put away when it was deleted or replaced, given back whole: unread, of any size and kind. */
export interface KeptState {
  readonly type: "kept";
  /** What the store calls it. */
  readonly key: string;
  /** Its hash is "" where coming back gives it another one. */
  readonly was: Snapshot;
}

/** What stood at a path. Two snapshots with the same hash are the same content; "" is no hash. */
export interface Snapshot {
  readonly type: FileType;
  /** Of the bytes of a file, the target of a link, the names and versions below a directory. */
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

/** The paths a change touches. */
export function pathsOf(change: FileChange): readonly string[] {
  return change.kind === "move" ? [change.from, change.path] : [change.path];
}
