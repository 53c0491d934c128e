import type { Splice, TextFormat, TextPlace } from "@haft/text";

/**
 * The only way to access files. Paths are relative to the workspace root and use `/`; an absolute path inside the root
 * is also accepted. Returned paths are relative. A path that leaves the root, contains `..` or NUL, or names a
 * sensitive file is rejected before anything is opened.
 */
export interface WorkspaceReader {
  /** Returns the whole file as text, line endings unchanged. */
  readText(path: string): Promise<string>;
  /**
   * Like `readText`, with what is needed to write the file back byte for byte. The kernel handles `encoding` and
   * `.editorconfig`; a store decodes by byte order mark, by the file's own declaration and by its bytes.
   */
  readTextFile(path: string, options?: ReadTextOptions): Promise<TextFile>;
  /**
   * Reads the lines of a text file that a change affects, without decoding the rest. Returns undefined if the whole
   * text is needed. The part can be spliced like the whole. Absent in read-only workspaces.
   */
  readTextPart?(path: string, place: TextPlace): Promise<TextFilePart | undefined>;
  readBytes(path: string, range?: ByteRange): Promise<Uint8Array>;
  /** Streams the bytes in chunks, for files too large to hold in memory. */
  stream(path: string, range?: StreamRange): AsyncIterable<Uint8Array>;
  /** Returns the entry at a path, following links. */
  stat(path: string): Promise<FileStat>;
  exists(path: string): Promise<boolean>;
  /** Returns the entries of one directory sorted by name, without following links. */
  list(path: string): Promise<readonly FileEntry[]>;
  /** Yields everything below a directory, parents before children, without following links. */
  walk(path: string, options?: WalkOptions): AsyncIterable<FileEntry>;
  /** Returns the content hash used in results, stale checks and `if_changed_since`. */
  hashOf(path: string): Promise<string>;
}

/** Changes existing files. Creating a new path also needs CreateFiles. */
export interface WorkspaceWriter {
  /**
   * Replaces a file's text. An existing file keeps its encoding and byte order mark unless a format is given. Text that
   * the encoding cannot represent rejects with ENCODING_ERROR.
   */
  writeText(path: string, text: string, options?: WriteTextOptions): Promise<void>;
  /**
   * Like `writeText`, for a text that was read and changes only in places. Splices must be in order and must not
   * overlap. In a long file this is much cheaper than rewriting it.
   */
  spliceText(
    path: string,
    read: Pick<TextFile, "text" | "format">,
    splices: readonly Splice[],
  ): Promise<SplicedPlace>;
  writeBytes(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void>;
  /** Changes the permission bits of an existing directory; its entries stay as they are. */
  setDirectoryMode(path: string, mode: number): Promise<void>;
}

/** Creates new files and directories. An existing path rejects with ALREADY_EXISTS. */
export interface WorkspaceCreator {
  createText(path: string, text: string, options?: WriteTextOptions): Promise<void>;
  createBytes(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void>;
  createDirectory(path: string, options?: { readonly mode?: number }): Promise<void>;
  createLink(path: string, target: string): Promise<void>;
}

export interface WorkspaceRemover {
  /** Removes a file, a link itself, or with `recursive` a whole directory. Returns the removed paths. */
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<readonly string[]>;
}

export interface WorkspaceMover {
  /**
   * Renames a file, link or directory. An existing destination rejects with DESTINATION_EXISTS unless `overwrite` is
   * set.
   */
  move(from: string, to: string, options?: MoveOptions): Promise<void>;
}

/** Available to every tool, regardless of permissions. */
export interface WorkspaceAnchor {
  readonly root: string;
  /** Returns the absolute form of a workspace path. */
  absolute(path: string): string;
}

/** The full workspace, on which rehearsals run. */
export interface Workspace
  extends WorkspaceAnchor,
    WorkspaceReader,
    WorkspaceWriter,
    WorkspaceCreator,
    WorkspaceRemover,
    WorkspaceMover {}

/** The position of a splice: already known, and expensive to recompute in a long text. */
export interface SplicedPlace {
  /** The 1-based line in which the first splice starts. */
  readonly startLine: number;
  /** Returns the splices as a diff under the given path. Long diffs are truncated like results. */
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
  /** The target of a link, as stored on disk. */
  readonly target?: string;
  /** True for a link whose target is outside the workspace. */
  readonly outside?: boolean;
  /** True for a directory that an ignore file excludes. `walk` yields it but does not enter it. */
  readonly ignored?: boolean;
  /**
   * True if the name is not valid text (not UTF-8, or with control characters). `name` and `path` are then escaped and
   * cannot be opened, and the type is always "other".
   */
  readonly unnamed?: boolean;
}

export interface TextFile extends FileStat {
  readonly text: string;
  readonly format: TextFormat;
  /** Why the encoding is a guess; absent if it is certain. */
  readonly doubt?: string;
  readonly hash: string;
}

export interface ReadTextOptions {
  /** The encoding to read the file in, by any of its names. Defaults to what the file or the project declares. */
  readonly encoding?: string | undefined;
}

/** Whole lines of a text file. `text` contains only those lines; the other fields describe the file. */
export interface TextFilePart extends TextFile {
  readonly linesAbove: number;
  /** The number of lines in the file, if lines were requested. */
  readonly lineCount?: number;
}

export interface ByteRange {
  readonly start?: number;
  /** Exclusive. */
  readonly end?: number;
}

export interface StreamRange extends ByteRange {
  /** Allows chunks to share memory: each chunk is valid only until the next is requested. */
  readonly passing?: boolean;
}

export interface WalkOptions {
  readonly maxDepth?: number;
  readonly includeHidden?: boolean;
  readonly includeIgnored?: boolean;
  readonly signal?: AbortSignal;
  /** Called for each folder whose ignore files have lines that are too long or too many to apply. */
  readonly onUnobeyedRules?: (folder: string, lines: number) => void;
}

export interface WriteOptions {
  /** Permission bits for the file. An existing file keeps its own by default. */
  readonly mode?: number;
  /** Create missing parent directories (the default). */
  readonly createDirs?: boolean;
  /** Modification time of the content in milliseconds, if it comes from elsewhere. */
  readonly modifiedMs?: number;
}

export interface WriteTextOptions extends WriteOptions {
  readonly format?: TextFormat;
}

export interface MoveOptions {
  readonly overwrite?: boolean;
  readonly createDirs?: boolean;
}
