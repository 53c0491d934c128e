import type { PathSelection, TextPart, TextPlace } from "@haft/text";
import type { ChangeHistory } from "../journal/change-history.js";
import type { FileChange, Snapshot } from "./file-change.js";
import type { FileEntry, TextFile, WorkspaceAnchor, WorkspaceReader } from "./workspace.js";

/**
 * Storage behind a workspace: it can be read, and it applies lists of rehearsed changes. There is no other way to
 * change it, so all writes go through one place.
 */
export interface WorkspaceStore extends WorkspaceAnchor, WorkspaceReader {
  /**
   * Validates a path and returns its real location. Links inside the workspace are resolved; the path itself need not
   * exist. Throws INVALID_PATH, SENSITIVE_FILE or PROTECTED_PATH.
   */
  locate(path: string, options?: LocateOptions): Promise<Location>;

  /** The part of `locate` that needs no disk access: path syntax and forbidden names. */
  vet(path: string, options?: LocateOptions): Location;

  /** Returns the entry at a located path without following links; cheap. */
  entry(path: string): Promise<FileEntry | undefined>;

  /** Like `entry`, with the content hash and everything below a directory, for stale checks. */
  snapshot(path: string): Promise<Snapshot | undefined>;

  /** Reads part of a text file, if that is faster than decoding the whole. */
  textPart?(path: string, place: TextPlace): Promise<StoredTextPart | undefined>;

  /** Hashes content that is not in the store yet. The hash is short, for models to pass back. */
  hash(bytes: Uint8Array): string | Promise<string>;

  /** Like `hash` for content in parts, if that is faster than joining them. */
  hashParts?(parts: readonly Uint8Array[]): string | Promise<string>;

  /** Returns the full SHA-256 in hex, for values that must not be forged, such as the subject of an approval. */
  digest(bytes: Uint8Array): string | Promise<string>;

  /**
   * Applies changes in order, all or nothing. Each path must still match the change's `before`; otherwise rejects with
   * STALE_FILE and applies nothing.
   */
  commit(changes: readonly FileChange[], call: CommitCall): Promise<void>;

  /**
   * Reads several paths in one round trip without following links; present in remote stores. The kernel reads the paths
   * a call names at once and answers the call from them. `commit` still compares every path with what was read.
   */
  readMany?(paths: readonly string[]): Promise<readonly PathState[]>;

  /** Present if the store journals its commits itself. */
  readonly history?: ChangeHistory;

  /** Present if the workspace is a real local folder, for engines that read it directly. */
  readonly local?: LocalFolder;
}

/** The state of a path. */
export interface PathState {
  /** The path as requested. */
  readonly path: string;
  /** Undefined if the path does not exist. */
  readonly entry: FileEntry | undefined;
  /** The content of a file; omitted if too large to send unrequested. */
  readonly bytes?: Uint8Array;
}

/** Part of a UTF-8 text file, together with its bytes. The bytes are never modified. */
export interface StoredTextPart extends TextFile, TextPart {
  readonly bytes: Uint8Array;
}

export interface LocateOptions {
  /** "entry" addresses a link itself (delete, move); "target" what it points to. */
  readonly follow?: "entry" | "target";
  readonly purpose?: "read" | "write";
}

export interface Location {
  /** Workspace-relative, links resolved. */
  readonly path: string;
  /**
   * True if the content later runs as code (hooks, editor settings, package scripts). Writing it always requires
   * approval.
   */
  readonly protected: boolean;
  /** True for a protected path that sandboxed code may not change even in its view, with approval afterwards. */
  readonly sealed?: boolean;
}

/** The call that a change belongs to, for the journal. */
export interface CommitCall {
  readonly callId: string;
  readonly tool: string;
  /** Awaited after every path was checked against the rehearsal, before the first change. */
  beforeFirstEffect?(): void | Promise<void>;
}

export interface LocalFolder {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Returns whether a reader may open the content at a workspace-relative path. */
  mayOpen(path: string): boolean;
  /** Returns the same folder with further paths closed. Passing the same selections again is allowed. */
  without?(closed: readonly PathSelection[]): LocalFolder;
  /** The same check for worker threads, which cannot receive functions: a module export that creates it from data. */
  readonly guardModule?: { readonly url: string; readonly exportName: string; readonly data: unknown };
}
