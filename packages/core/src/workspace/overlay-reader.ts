import type { TextPlace } from "@haft/text";
import { ToolError } from "../error/tool-error.js";
import { decodedText, rememberText } from "./decoded-texts.js";
import type { Snapshot } from "./file-change.js";
import { OverlayTree } from "./overlay-tree.js";
import { SeenFiles } from "./seen-files.js";
import { ShownParts } from "./shown-parts.js";
import type {
  ByteRange,
  FileEntry,
  FileStat,
  StreamRange,
  TextFile,
  TextFilePart,
  WalkOptions,
  WorkspaceAnchor,
  WorkspaceReader,
} from "./workspace.js";
import type { WorkspaceStore } from "./workspace-store.js";

/** The reading half of an overlay: the store as it would be after the recorded changes. */
export class OverlayReader implements WorkspaceAnchor, WorkspaceReader {
  readonly root: string;
  protected readonly store: WorkspaceStore;
  protected readonly tree: OverlayTree;
  protected readonly seen = new SeenFiles();
  protected readonly parts = new ShownParts();
  #lastRead: { readonly base: string; readonly file: TextFile } | undefined;

  constructor(store: WorkspaceStore) {
    this.root = store.root;
    this.store = store;
    this.tree = new OverlayTree(store);
  }

  /** The files of the store whose content was read. */
  get readPaths(): readonly string[] {
    return this.seen.paths;
  }

  absolute(path: string): string {
    return this.store.absolute(path);
  }

  async readText(path: string): Promise<string> {
    return (await this.readTextFile(path)).text;
  }

  async readTextFile(path: string): Promise<TextFile> {
    const source = await this.#source(path);
    if (source.held === undefined) {
      const file = await this.#noting(source.base, this.store.readTextFile(source.base));
      this.seen.note(source.base, file.hash);
      this.#lastRead = { base: source.base, file };
      return { ...file, path: source.path };
    }
    const decoded = decodedText(source.held.bytes());
    if (decoded === undefined) throw new ToolError("BINARY_FILE", `Cannot read as text: ${path} is binary`);
    return { ...(await this.stat(path)), ...decoded, hash: source.held.hash };
  }

  /** None of a file that this rehearsal has written: what it holds is put together when it is read. */
  async readTextPart(path: string, place: TextPlace): Promise<TextFilePart | undefined> {
    const source = await this.#source(path);
    if (source.held !== undefined || this.store.textPart === undefined) return undefined;
    const stored = await this.#noting(source.base, this.store.textPart(source.base, place));
    if (stored === undefined) return undefined;
    this.seen.note(source.base, stored.hash);
    return this.parts.show(source.path, stored);
  }

  async readBytes(path: string, range: ByteRange = {}): Promise<Uint8Array> {
    const source = await this.#source(path);
    if (source.held === undefined) {
      const bytes = await this.#noting(source.base, this.store.readBytes(source.base, range));
      const isWhole = (range.start ?? 0) === 0 && range.end === undefined;
      this.seen.note(source.base, isWhole ? this.store.hash(bytes) : "present");
      return bytes;
    }
    return source.held.bytes().slice(range.start ?? 0, range.end);
  }

  async *stream(path: string, range: StreamRange = {}): AsyncIterable<Uint8Array> {
    const source = await this.#source(path);
    if (source.held !== undefined) {
      yield source.held.bytes().slice(range.start ?? 0, range.end);
      return;
    }
    for await (const chunk of this.store.stream(source.base, range)) {
      this.seen.note(source.base, "present");
      yield chunk;
    }
  }

  async stat(path: string): Promise<FileStat> {
    const { path: located } = await this.tree.locate(path, {});
    const entry = await this.#entry(located);
    // The store knows what is there instead, and says so.
    if (entry === undefined)
      return this.tree.basePath(located) === located ? this.store.stat(path) : absent(path);
    const { type, size, modifiedMs, mode } = entry;
    return { path: located, type, size, modifiedMs, mode };
  }

  async exists(path: string): Promise<boolean> {
    const { path: located } = await this.tree.locate(path, {});
    return (await this.#entry(located)) !== undefined;
  }

  async list(path: string): Promise<readonly FileEntry[]> {
    return this.tree.list(await this.#directory(path));
  }

  async *walk(path: string, options: WalkOptions = {}): AsyncIterable<FileEntry> {
    yield* this.tree.walk(await this.#directory(path), options);
  }

  async hashOf(path: string): Promise<string> {
    const source = await this.#source(path);
    if (source.held !== undefined) return source.held.hash;
    const hash = await this.#noting(source.base, this.store.hashOf(source.base));
    this.seen.note(source.base, hash);
    return hash;
  }

  /** Most often what is changed was read just before: then its text need not be worked out again to be shown. */
  protected withText(path: string, snapshot: Snapshot | undefined): Snapshot | undefined {
    const read = this.#lastRead;
    if (
      snapshot?.bytes !== undefined &&
      read?.file.hash === snapshot.hash &&
      read.base === this.tree.basePath(path)
    )
      rememberText(snapshot.bytes, { text: read.file.text, format: read.file.format });
    return snapshot;
  }

  async #entry(located: string): Promise<FileEntry | undefined> {
    const entry = await this.tree.entry(located);
    const base = this.tree.held(located) === undefined ? this.tree.basePath(located) : undefined;
    if (base !== undefined) this.seen.note(base, entry === undefined ? "absent" : "present");
    return entry;
  }

  /** A file that could not be read because it is not there was seen not to be there. */
  async #noting<T>(base: string, reading: Promise<T>): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      if (ToolError.is(error) && error.code === "FILE_NOT_FOUND") this.seen.note(base, "absent");
      throw error;
    }
  }

  /** A file's content: held here, or at a path of the store. */
  async #source(path: string): Promise<FileSource> {
    const { path: located } = await this.tree.locate(path, {});
    const held = this.tree.held(located);
    if (held?.kind === "file")
      return { path: located, held: { hash: held.state.hash, bytes: () => held.state.bytes } };
    if (held?.kind === "kept" && held.was.type === "file")
      return { path: located, held: { hash: held.was.hash, bytes: () => unreadable(path) } };
    if (held?.kind === "directory") throw new ToolError("IS_DIRECTORY", `Cannot read directory: ${path}`);
    const base = this.tree.basePath(located);
    if (base === undefined) throw notFound(path);
    return { path: located, held: undefined, base };
  }

  async #directory(path: string): Promise<string> {
    const { path: located } = await this.tree.locate(path, {});
    const entry = located === "" ? undefined : await this.tree.entry(located);
    if (entry === undefined && located !== "")
      throw new ToolError("PATH_NOT_FOUND", `Directory not found: ${path}`);
    if (entry !== undefined && entry.type !== "directory")
      throw new ToolError("NOT_A_DIRECTORY", `${path} is not a directory`);
    return located;
  }
}

type FileSource =
  | { readonly path: string; readonly held: { readonly hash: string; bytes(): Uint8Array } }
  | { readonly path: string; readonly held: undefined; readonly base: string };

function absent(path: string): never {
  throw notFound(path);
}

function notFound(path: string): ToolError {
  return new ToolError("FILE_NOT_FOUND", `File not found: ${path}`);
}

function unreadable(path: string): never {
  throw new ToolError("FILE_NOT_FOUND", `${path} is only put back when the call is done`);
}
