import type { Splice, TextFormat, TextPlace } from "@haft/text";

/**
 * The only way to files. Every path is given relative to the workspace root with `/` (an absolute
 * path inside the root is accepted too); every path that comes back is relative. A path that leaves
 * the root, holds `..` or NUL, or names a sensitive file is refused before anything is opened.
 */
export interface WorkspaceReader {
  /** The whole file as text, line endings untouched. */
  readText(path: string): Promise<string>;
  /** The same with what is needed to write it back byte for byte. */
  readTextFile(path: string): Promise<TextFile>;
  /**
   * The lines of a text file that a change is about, the rest of it undecoded; undefined where only the whole text
   * will do. It can be spliced like the whole. Absent where nothing can be written either.
   */
  readTextPart?(path: string, place: TextPlace): Promise<TextFilePart | undefined>;
  readBytes(path: string, range?: ByteRange): Promise<Uint8Array>;
  /** The bytes in chunks, for files that should not be held whole. */
  stream(path: string, range?: StreamRange): AsyncIterable<Uint8Array>;
  /** What stands at a path; links are followed. */
  stat(path: string): Promise<FileStat>;
  exists(path: string): Promise<boolean>;
  /** The entries of one directory, sorted by name; links are not followed. */
  list(path: string): Promise<readonly FileEntry[]>;
  /** Everything below a directory, parents before children, links not followed. */
  walk(path: string, options?: WalkOptions): AsyncIterable<FileEntry>;
  /** The content hash that results, stale checks and `if_changed_since` speak of. */
  hashOf(path: string): Promise<string>;
}

/** Changes files that exist; a path that does not exist needs CreateFiles as well. */
export interface WorkspaceWriter {
  /**
   * Replaces a file's text. An existing file keeps its encoding and byte order mark unless a
   * format is given; what that encoding cannot hold is an ENCODING_ERROR.
   */
  writeText(path: string, text: string, options?: WriteTextOptions): Promise<void>;
  /**
   * The same for a text that was read and in which only some places change. They are given in order and
   * do not overlap; in a long file this costs much less than writing all of it.
   */
  spliceText(
    path: string,
    read: Pick<TextFile, "text" | "format">,
    splices: readonly Splice[],
  ): Promise<SplicedPlace>;
  writeBytes(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void>;
}

/** Makes what is not there yet; a path that is taken is ALREADY_EXISTS. */
export interface WorkspaceCreator {
  createText(path: string, text: string, options?: WriteTextOptions): Promise<void>;
  createBytes(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void>;
  createDirectory(path: string): Promise<void>;
  createLink(path: string, target: string): Promise<void>;
}

export interface WorkspaceRemover {
  /** Takes away a file, a link itself, or with `recursive` a whole directory; the paths that went. */
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<readonly string[]>;
}

export interface WorkspaceMover {
  /** Renames a file, link or directory; a taken destination is DESTINATION_EXISTS unless `overwrite`. */
  move(from: string, to: string, options?: MoveOptions): Promise<void>;
}

/** What every tool gets, whatever its permissions. */
export interface WorkspaceAnchor {
  readonly root: string;
  /** The absolute form of a workspace path. */
  absolute(path: string): string;
}

/** All parts at once: what a rehearsal runs on. */
export interface Workspace
  extends WorkspaceAnchor,
    WorkspaceReader,
    WorkspaceWriter,
    WorkspaceCreator,
    WorkspaceRemover,
    WorkspaceMover {}

/** Where a text was spliced: known anyway, and costly to find out in a long text. */
export interface SplicedPlace {
  /** The 1-based line in which the first splice starts. */
  readonly startLine: number;
  /** What the splices changed, shown under a name; long ones are cut as results are. */
  diff(path: string): string;
}

export type FileType = "file" | "directory" | "symlink" | "other";

export interface FileStat {
  readonly path: string;
  readonly type: FileType;
  readonly size: number;
  readonly modifiedMs: number;
  /** Permission bits, 0o777 and below. */
  readonly mode: number;
}

export interface FileEntry extends FileStat {
  readonly name: string;
  /** Where a link points, as it is written on disk. */
  readonly target?: string;
  /** Set on a link whose target is not inside the workspace. */
  readonly outside?: boolean;
  /** Set on a directory that an ignore file excludes; `walk` shows it but does not enter it. */
  readonly ignored?: boolean;
  /**
   * Set where the name cannot be given as text (not UTF-8, or with control characters): `name` and
   * `path` show it escaped and lead nowhere, and the type is "other" whatever it is.
   */
  readonly unnamed?: boolean;
}

export interface TextFile extends FileStat {
  readonly text: string;
  readonly format: TextFormat;
  readonly hash: string;
}

/** Whole lines of a text file: `text` is theirs, everything else speaks of the file. */
export interface TextFilePart extends TextFile {
  readonly linesAbove: number;
  /** How many lines the file has, where lines were asked for. */
  readonly lineCount?: number;
}

export interface ByteRange {
  readonly start?: number;
  /** Exclusive. */
  readonly end?: number;
}

export interface StreamRange extends ByteRange {
  /** Each chunk is only looked at until the next is asked for: its memory may be used again. */
  readonly passing?: boolean;
}

export interface WalkOptions {
  readonly maxDepth?: number;
  readonly includeHidden?: boolean;
  readonly includeIgnored?: boolean;
  readonly signal?: AbortSignal;
}

export interface WriteOptions {
  /** Permission bits for the file; an existing file keeps its own unless given. */
  readonly mode?: number;
  /** Make missing parent directories (the default). */
  readonly createDirs?: boolean;
}

export interface WriteTextOptions extends WriteOptions {
  readonly format?: TextFormat;
}

export interface MoveOptions {
  readonly overwrite?: boolean;
  readonly createDirs?: boolean;
}
