import type { TextPart, TextPlace } from "@haft/text";
import type { FileChange, Snapshot } from "./file-change.js";
import type { FileEntry, TextFile, WorkspaceAnchor, WorkspaceReader } from "./workspace.js";

/**
 * A body behind a workspace: it can be read, and it can take a list of rehearsed changes.
 * There is no other way to change it, so there is one place where bytes reach a disk.
 */
export interface WorkspaceStore extends WorkspaceAnchor, WorkspaceReader {
  /**
   * Checks a path and says where it really is: links inside the workspace are resolved, the path
   * itself need not exist. Throws INVALID_PATH, SENSITIVE_FILE or PROTECTED_PATH.
   */
  locate(path: string, options?: LocateOptions): Promise<Location>;

  /** The part of `locate` that needs no disk: the path as text, names that are never to be touched. */
  vet(path: string, options?: LocateOptions): Location;

  /** What stands at a located path, links not followed; cheap. */
  entry(path: string): Promise<FileEntry | undefined>;

  /** The same with its content's hash, and everything below a directory: what a stale check compares. */
  snapshot(path: string): Promise<Snapshot | undefined>;

  /** A part of a text file, if there is a quicker way to it than to decode the whole. */
  textPart?(path: string, place: TextPlace): Promise<StoredTextPart | undefined>;

  /** The hash of content that is not in the store yet; short, for models to carry along. */
  hash(bytes: Uint8Array): string;

  /** The same for content in parts, if there is a quicker way than to put them together. */
  hashParts?(parts: readonly Uint8Array[]): string;

  /** The whole SHA-256 in hex: for what must not be forged, such as what an approval stands for. */
  digest(bytes: Uint8Array): string;

  /**
   * Applies changes in order, all or none. Each path must still be what the change says it was,
   * else STALE_FILE and nothing is applied.
   */
  commit(changes: readonly FileChange[], call: CommitCall): Promise<void>;

  /** Present when the workspace is a real local folder: the seam for engines that read it directly. */
  readonly local?: LocalFolder;
}

/** A part of a text file that is UTF-8, together with the bytes it lies in. Nobody writes to them. */
export interface StoredTextPart extends TextFile, TextPart {
  readonly bytes: Uint8Array;
}

export interface LocateOptions {
  /** "entry" addresses a link itself (delete, move), "target" what it points to. */
  readonly follow?: "entry" | "target";
  readonly purpose?: "read" | "write";
}

export interface Location {
  /** Workspace-relative, links resolved. */
  readonly path: string;
  /** A path whose content later runs as code (hooks, editor settings, scripts of a package): writing it always asks. */
  readonly protected: boolean;
  /** Of those, what code in a sandbox may not even change in its view, to be asked about afterwards. */
  readonly sealed?: boolean;
}

/** Who a change is made for; goes to the journal. */
export interface CommitCall {
  readonly callId: string;
  readonly tool: string;
  /** Called once every path was found as rehearsed, before anything changes. */
  beforeFirstEffect?(): void;
}

export interface LocalFolder {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Whether content at a workspace-relative path may be opened by a reader. */
  mayOpen(path: string): boolean;
  /** The same judgement for a worker thread, to which a function cannot cross: a module's export makes it from data. */
  readonly guardModule?: { readonly url: string; readonly exportName: string; readonly data: unknown };
}
