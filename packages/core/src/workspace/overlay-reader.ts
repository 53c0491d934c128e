import { decodeText, type TextPlace } from "@haft/text";
import { ToolError } from "../error/tool-error.js";
import { namedFormat, readDeclaredText } from "./declared-text.js";
import { decodedText, rememberText } from "./decoded-texts.js";
import type { Snapshot } from "./file-change.js";
import { OverlayTree } from "./overlay-tree.js";
import {
  binaryFile,
  cannotReadDirectory,
  directoryNotFound,
  fileNotFound,
  notADirectory,
} from "./path-errors.js";
import { SeenFiles } from "./seen-files.js";
import { ShownParts } from "./shown-parts.js";
import type {
  ByteRange,
  FileEntry,
  FileStat,
  ReadTextOptions,
  StreamRange,
  TextFile,
  TextFilePart,
  WalkOptions,
  WorkspaceReader,
} from "./workspace.js";
import type { WorkspaceStore } from "./workspace-store.js";

/** Reads the store as it would be after the recorded changes, and records what it read. */
export class OverlayReader implements WorkspaceReader {
  readonly store: WorkspaceStore;
  readonly tree: OverlayTree;
  readonly parts = new ShownParts();
  readonly #seen = new SeenFiles();
  #lastRead: { readonly base: string; readonly file: TextFile } | undefined;

  constructor(store: WorkspaceStore) {
    this.store = store;
    this.tree = new OverlayTree(store);
  }

  /** The files of the store whose content was read. */
  get readPaths(): readonly string[] {
    return this.#seen.paths;
  }

  async readText(path: string): Promise<string> {
    return (await this.readTextFile(path)).text;
  }

  async readTextFile(path: string, options?: ReadTextOptions): Promise<TextFile> {
    const source = await this.#source(path);
    if (source.held === undefined) {
      const file = await this.#noting(source.base, readDeclaredText(this.store, source.base, options));
      this.#seen.note(source.base, file.hash);
      this.#lastRead = { base: source.base, file };
      return { ...file, path: source.path };
    }
    const bytes = source.held.bytes();
    const decoded =
      namedFormat(options?.encoding) === undefined ? decodedText(bytes) : decodeText(bytes, options);
    if (decoded === undefined) throw binaryFile(path, bytes);
    return { ...(await this.stat(path)), ...decoded, hash: source.held.hash };
  }

  /** Returns undefined for a file that this rehearsal has written: its content is joined on read. */
  async readTextPart(path: string, place: TextPlace): Promise<TextFilePart | undefined> {
    const source = await this.#source(path);
    if (source.held !== undefined || this.store.textPart === undefined) return undefined;
    const stored = await this.#noting(source.base, this.store.textPart(source.base, place));
    if (stored === undefined) return undefined;
    this.#seen.note(source.base, stored.hash);
    return this.parts.show(source.path, stored);
  }

  async readBytes(path: string, range: ByteRange = {}): Promise<Uint8Array> {
    const source = await this.#source(path);
    if (source.held === undefined) {
      const bytes = await this.#noting(source.base, this.store.readBytes(source.base, range));
      const isWhole = (range.start ?? 0) === 0 && range.end === undefined;
      this.#seen.note(source.base, isWhole ? await this.store.hash(bytes) : "present");
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
      this.#seen.note(source.base, "present");
      yield chunk;
    }
  }

  async stat(path: string): Promise<FileStat> {
    const { path: located } = await this.tree.locate(path, {});
    const entry = await this.#entry(located);
    // The store's error names the type of the entry.
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
    this.#seen.note(source.base, hash);
    return hash;
  }

  /** Returns the state of a path as this rehearsal saw it. */
  asSeen(path: string, now: Snapshot | undefined): Snapshot | undefined {
    const base = this.tree.held(path) === undefined ? this.tree.basePath(path) : undefined;
    return base === undefined ? now : this.#seen.asSeen(base, now);
  }

  /** Most files are read just before they are changed, so their decoded text is reused for display. */
  withText(path: string, snapshot: Snapshot | undefined): Snapshot | undefined {
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
    if (base !== undefined) this.#seen.note(base, entry === undefined ? "absent" : "present");
    return entry;
  }

  /** Records a file that could not be read because it is missing as absent. */
  async #noting<T>(base: string, reading: Promise<T>): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      if (ToolError.is(error) && error.code === "FILE_NOT_FOUND") this.#seen.note(base, "absent");
      throw error;
    }
  }

  /** Returns where a file's content is: in the overlay or at a store path. */
  async #source(path: string): Promise<FileSource> {
    const { path: located } = await this.tree.locate(path, {});
    const held = this.tree.held(located);
    if (held?.kind === "file")
      return { path: located, held: { hash: held.state.hash, bytes: () => held.state.bytes } };
    if (held?.kind === "kept" && held.was.type === "file")
      return { path: located, held: { hash: held.was.hash, bytes: () => unreadable(path) } };
    if (held?.kind === "directory") throw cannotReadDirectory(path);
    const base = this.tree.basePath(located);
    if (base === undefined) throw fileNotFound(path);
    return { path: located, held: undefined, base };
  }

  async #directory(path: string): Promise<string> {
    const { path: located } = await this.tree.locate(path, {});
    const entry = located === "" ? undefined : await this.tree.entry(located);
    if (entry === undefined && located !== "") throw directoryNotFound(path);
    if (entry !== undefined && entry.type !== "directory") throw notADirectory(path);
    return located;
  }
}

type FileSource =
  | { readonly path: string; readonly held: { readonly hash: string; bytes(): Uint8Array } }
  | { readonly path: string; readonly held: undefined; readonly base: string };

function absent(path: string): never {
  throw fileNotFound(path);
}

function unreadable(path: string): never {
  throw new ToolError("FILE_NOT_FOUND", `${path} is restored only when the call ends`);
}
