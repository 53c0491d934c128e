import type { Splice, TextPlace } from "@haft/text";
import type { FileChange, KeptState } from "./file-change.js";
import { OverlayMover } from "./overlay-mover.js";
import { OverlayReader } from "./overlay-reader.js";
import { OverlayRecorder } from "./overlay-recorder.js";
import { OverlayWriter } from "./overlay-writer.js";
import type {
  ByteRange,
  FileEntry,
  FileStat,
  MoveOptions,
  ReadTextOptions,
  SplicedPlace,
  StreamRange,
  TextFile,
  TextFilePart,
  WalkOptions,
  Workspace,
  WriteOptions,
  WriteTextOptions,
} from "./workspace.js";
import type { WorkspaceStore } from "./workspace-store.js";

/**
 * A workspace that records writes in memory. The kernel rehearses a tool that changes files on one, then shows the
 * recorded changes, requests approval and applies them.
 */
export class OverlayWorkspace implements Workspace {
  readonly #store: WorkspaceStore;
  readonly #reader: OverlayReader;
  readonly #recorder: OverlayRecorder;
  readonly #writer: OverlayWriter;
  readonly #mover: OverlayMover;

  constructor(store: WorkspaceStore, options: { readonly maxHeldBytes?: number } = {}) {
    this.#store = store;
    this.#reader = new OverlayReader(store);
    this.#recorder = new OverlayRecorder(this.#reader.tree, options);
    this.#writer = new OverlayWriter(this.#reader, this.#recorder);
    this.#mover = new OverlayMover(this.#reader, this.#recorder);
  }

  get root(): string {
    return this.#store.root;
  }

  /** The changes so far, in the order they must be applied. */
  get changes(): readonly FileChange[] {
    return this.#recorder.changes;
  }

  /** The files of the store whose content was read. */
  get readPaths(): readonly string[] {
    return this.#reader.readPaths;
  }

  absolute(path: string): string {
    return this.#store.absolute(path);
  }

  readText(path: string): Promise<string> {
    return this.#reader.readText(path);
  }

  readTextFile(path: string, options?: ReadTextOptions): Promise<TextFile> {
    return this.#reader.readTextFile(path, options);
  }

  readTextPart(path: string, place: TextPlace): Promise<TextFilePart | undefined> {
    return this.#reader.readTextPart(path, place);
  }

  readBytes(path: string, range?: ByteRange): Promise<Uint8Array> {
    return this.#reader.readBytes(path, range);
  }

  stream(path: string, range?: StreamRange): AsyncIterable<Uint8Array> {
    return this.#reader.stream(path, range);
  }

  stat(path: string): Promise<FileStat> {
    return this.#reader.stat(path);
  }

  exists(path: string): Promise<boolean> {
    return this.#reader.exists(path);
  }

  list(path: string): Promise<readonly FileEntry[]> {
    return this.#reader.list(path);
  }

  walk(path: string, options?: WalkOptions): AsyncIterable<FileEntry> {
    return this.#reader.walk(path, options);
  }

  hashOf(path: string): Promise<string> {
    return this.#reader.hashOf(path);
  }

  writeText(path: string, text: string, options?: WriteTextOptions): Promise<void> {
    return this.#writer.writeText(path, text, options);
  }

  spliceText(
    path: string,
    read: Pick<TextFile, "text" | "format">,
    splices: readonly Splice[],
  ): Promise<SplicedPlace> {
    return this.#writer.spliceText(path, read, splices);
  }

  writeBytes(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void> {
    return this.#writer.writeBytes(path, bytes, options);
  }

  createText(path: string, text: string, options?: WriteTextOptions): Promise<void> {
    return this.#writer.createText(path, text, options);
  }

  createBytes(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void> {
    return this.#writer.createBytes(path, bytes, options);
  }

  setDirectoryMode(path: string, mode: number): Promise<void> {
    return this.#writer.setDirectoryMode(path, mode);
  }

  createDirectory(path: string, options?: { readonly mode?: number }): Promise<void> {
    return this.#writer.createDirectory(path, options);
  }

  createLink(path: string, target: string): Promise<void> {
    return this.#writer.createLink(path, target);
  }

  /** Restores an entry that the store kept when it was replaced or deleted. For undo, not for tools. */
  putBack(path: string, kept: Omit<KeptState, "type">): Promise<void> {
    return this.#writer.putBack(path, kept);
  }

  remove(path: string, options?: { readonly recursive?: boolean }): Promise<readonly string[]> {
    return this.#mover.remove(path, options);
  }

  move(from: string, to: string, options?: MoveOptions): Promise<void> {
    return this.#mover.move(from, to, options);
  }
}
