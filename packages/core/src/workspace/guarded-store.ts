import type { TextPlace } from "@haft/text";
import type { FileChange, Snapshot } from "./file-change.js";
import type {
  ByteRange,
  FileEntry,
  FileStat,
  FileType,
  StreamRange,
  TextFile,
  WalkOptions,
} from "./workspace.js";
import type {
  CommitCall,
  LocalFolder,
  LocateOptions,
  Location,
  StoredTextPart,
  WorkspaceStore,
} from "./workspace-store.js";

/** Decides which paths of a store a call may open. Paths are checked both as written and as located. */
export interface PathGuard {
  /** Throws if a rule denies the path. A folder may be traversed to reach paths below it that are not denied. */
  admit(path: string, type?: FileType): void;
  /** Like `admit`, before content is read; may prompt for approval. */
  admitContent(path: string): Promise<void>;
  /** Returns whether a listing includes an entry. */
  shows(entry: Pick<FileEntry, "path" | "type">): boolean;
  /** The local folder without denied paths; undefined if the restriction cannot be expressed to an engine. */
  readonly local: LocalFolder | undefined;
}

/** A store behind a guard: the one place that enforces path rules for every tool, whatever its arguments are called. */
export class GuardedStore implements WorkspaceStore {
  readonly root: string;
  readonly local?: LocalFolder;
  readonly #store: WorkspaceStore;
  readonly #guard: PathGuard;

  constructor(store: WorkspaceStore, guard: PathGuard) {
    this.root = store.root;
    this.#store = store;
    this.#guard = guard;
    if (guard.local !== undefined) this.local = guard.local;
  }

  absolute(path: string): string {
    return this.#store.absolute(path);
  }

  vet(path: string, options?: LocateOptions): Location {
    return this.#store.vet(path, options);
  }

  locate(path: string, options?: LocateOptions): Promise<Location> {
    return this.#store.locate(path, options);
  }

  async readText(path: string): Promise<string> {
    return (await this.readTextFile(path)).text;
  }

  async readTextFile(path: string): Promise<TextFile> {
    await this.#openContent(path);
    const file = await this.#store.readTextFile(path);
    // A link may have been created in the meantime.
    await this.#guard.admitContent(file.path);
    return file;
  }

  async textPart(path: string, place: TextPlace): Promise<StoredTextPart | undefined> {
    await this.#openContent(path);
    const part = await this.#store.textPart?.(path, place);
    if (part !== undefined) await this.#guard.admitContent(part.path);
    return part;
  }

  readBytes(path: string, range?: ByteRange): Promise<Uint8Array> {
    return this.#checkedTwice(path, () => this.#store.readBytes(path, range));
  }

  async *stream(path: string, range?: StreamRange): AsyncIterable<Uint8Array> {
    await this.#openContent(path);
    let isChecked = false;
    for await (const chunk of this.#store.stream(path, range)) {
      // The file is open from the first chunk on, so a later swap cannot change which file is read.
      if (!isChecked) await this.#openContent(path);
      isChecked = true;
      yield chunk;
    }
  }

  hashOf(path: string): Promise<string> {
    return this.#checkedTwice(path, () => this.#store.hashOf(path));
  }

  async stat(path: string): Promise<FileStat> {
    await this.#open(path);
    const stat = await this.#store.stat(path);
    this.#guard.admit(stat.path, stat.type);
    return stat;
  }

  async exists(path: string): Promise<boolean> {
    await this.#open(path);
    return this.#store.exists(path);
  }

  async list(path: string): Promise<readonly FileEntry[]> {
    await this.#open(path);
    return (await this.#store.list(path)).filter((entry) => this.#guard.shows(entry));
  }

  async *walk(path: string, options?: WalkOptions): AsyncIterable<FileEntry> {
    await this.#open(path);
    for await (const entry of this.#store.walk(path, options)) if (this.#guard.shows(entry)) yield entry;
  }

  async entry(path: string): Promise<FileEntry | undefined> {
    this.#guard.admit(path, "directory");
    const entry = await this.#store.entry(path);
    if (entry !== undefined) this.#guard.admit(path, entry.type);
    return entry;
  }

  async snapshot(path: string): Promise<Snapshot | undefined> {
    this.#guard.admit(path, "directory");
    const snapshot = await this.#store.snapshot(path);
    if (snapshot !== undefined) this.#guard.admit(path, snapshot.type);
    return snapshot;
  }

  hash(bytes: Uint8Array): string | Promise<string> {
    return this.#store.hash(bytes);
  }

  hashParts(parts: readonly Uint8Array[]): string | Promise<string> {
    return this.#store.hashParts?.(parts) ?? this.#store.hash(joined(parts));
  }

  digest(bytes: Uint8Array): string | Promise<string> {
    return this.#store.digest(bytes);
  }

  commit(changes: readonly FileChange[], call: CommitCall): Promise<void> {
    return this.#store.commit(changes, call);
  }

  /** The entry type is not known yet: a folder may still be traversed. */
  async #open(path: string): Promise<void> {
    for (const place of await this.#places(path)) this.#guard.admit(place, "directory");
  }

  async #openContent(path: string): Promise<void> {
    for (const place of await this.#places(path)) await this.#guard.admitContent(place);
  }

  /** Checks again after reading: a link may have been created between the check and the read. */
  async #checkedTwice<T>(path: string, read: () => Promise<T>): Promise<T> {
    await this.#openContent(path);
    const content = await read();
    await this.#openContent(path);
    return content;
  }

  async #places(path: string): Promise<readonly string[]> {
    return [...new Set([this.#store.vet(path).path, (await this.#store.locate(path)).path])];
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
