import { type FileEntry, type FileStat, type TextFile, ToolError, type WorkspaceReader } from "@haft/core";
import {
  type ByteRange,
  baseName,
  binaryFile,
  directoryNotFound,
  fileNotFound,
  fileTooLarge,
  invalidPath,
  joinPath,
  type LocateOptions,
  type Location,
  notADirectory,
  parentPath,
  parsePath,
  type StreamRange,
  type WalkOptions,
  type WorkspaceAnchor,
} from "@haft/core/workspace";
import { contentHash, decodeWhole, type PathGuard } from "@haft/runtime-node/paths";
import { nearestNames } from "@haft/text";
import type { RemoteConnection } from "./connection/remote-connection.js";
import type { Answer } from "./connection/remote-end.js";
import { listedFolder, type RemoteListing } from "./listed-folder.js";
import {
  entryAt,
  type Found,
  type OpenFile,
  type RemoteFound,
  type RemoteRead,
  statOf,
} from "./remote-answers.js";
import { asWorkspaceError } from "./remote-errors.js";
import { type ListedFolder, walkRemote } from "./walk-remote.js";

interface SshWorkspaceParts {
  readonly connection: RemoteConnection;
  readonly root: string;
  readonly spellings: readonly string[];
  readonly guard: PathGuard;
  readonly maxHeldBytes: number;
  readonly maxWalkEntries: number;
}

/** The reading half of a workspace on another machine. Each method takes one round trip unless documented otherwise. */
export class SshReader implements WorkspaceAnchor, WorkspaceReader {
  readonly root: string;
  protected readonly parts: SshWorkspaceParts;

  constructor(parts: SshWorkspaceParts) {
    this.parts = parts;
    this.root = parts.root;
  }

  absolute(path: string): string {
    const relative = parsePath(path, this.parts.spellings);
    if (relative === "") return this.root;
    return this.root === "/" ? `/${relative}` : `${this.root}/${relative}`;
  }

  vet(path: string, options: LocateOptions = {}): Location {
    return this.parts.guard.judge(parsePath(path, this.parts.spellings), path, options.purpose);
  }

  async locate(path: string, options: LocateOptions = {}): Promise<Location> {
    const found = await this.find(path, options);
    // Creating the target of a dangling link would write where the caller did not look.
    if (found.dangling && options.purpose === "write")
      throw invalidPath(path, "goes through a link to something that does not exist");
    return this.parts.guard.judge(found.path, path, options.purpose);
  }

  async readText(path: string): Promise<string> {
    return (await this.readTextFile(path)).text;
  }

  async readTextFile(path: string): Promise<TextFile> {
    const { entry, bytes } = await this.#read(path);
    const decoded = await decodeWhole(bytes);
    if (decoded === undefined) throw binaryFile(path, bytes);
    return { ...statOf(entry), ...decoded, hash: contentHash(bytes) };
  }

  async readBytes(path: string, range: ByteRange = {}): Promise<Uint8Array> {
    return (await this.#read(path, range)).bytes;
  }

  /** One round trip for each chunk, plus opening and closing. */
  async *stream(path: string, { start = 0, end }: StreamRange = {}): AsyncGenerator<Uint8Array> {
    const { path: lexical } = this.vet(path);
    const { value } = await this.#ask<OpenFile>(path, "open", { path: lexical });
    try {
      this.parts.guard.judge(value.path, path);
      const last = Math.min(end ?? value.size, value.size);
      for (let at = start; at < last; at += CHUNK_BYTES) {
        const range = { handle: value.handle, start: at, end: Math.min(at + CHUNK_BYTES, last) };
        const { body } = await this.parts.connection.tell("pread", range);
        if (body.length > 0) yield new Uint8Array(body);
        if (body.length < range.end - range.start) return;
      }
    } catch (thrown) {
      throw asWorkspaceError(thrown, path);
    } finally {
      await this.parts.connection.tell("close", { handle: value.handle }).catch(() => undefined);
    }
  }

  async stat(path: string): Promise<FileStat> {
    const found = await this.find(path);
    this.parts.guard.judge(found.path, path);
    if (found.entry === undefined) throw await this.#notFound(path, found);
    return statOf(found.entry);
  }

  async exists(path: string): Promise<boolean> {
    const found = await this.find(path);
    this.parts.guard.judge(found.path, path);
    return found.entry !== undefined;
  }

  async list(path: string): Promise<readonly FileEntry[]> {
    const { path: lexical } = this.vet(path);
    const [listed] = await this.#listFolders([lexical], { entries: true, rules: false }, path);
    if (listed === undefined) throw directoryNotFound(path);
    return listed.entries;
  }

  /** As many round trips as the tree is deep. */
  async *walk(path: string, options: WalkOptions = {}): AsyncGenerator<FileEntry> {
    const found = await this.find(path);
    this.parts.guard.judge(found.path, path);
    if (found.entry === undefined) throw directoryNotFound(path);
    if (found.entry.type !== "directory") throw notADirectory(path);
    const maxEntries = this.parts.maxWalkEntries;
    yield* walkRemote(
      { list: (paths, wants) => this.#listFolders(paths, wants), maxEntries },
      found.path,
      options,
    );
  }

  async hashOf(path: string): Promise<string> {
    const { path: lexical } = this.vet(path);
    const { value } = await this.#ask<{ path: string; hash: string }>(path, "hash", { path: lexical });
    this.parts.guard.judge(value.path, path);
    return value.hash;
  }

  /** Resolves a path through links inside the workspace, and returns its entry. */
  protected async find(path: string, options: LocateOptions = {}): Promise<Found> {
    const { path: lexical } = this.vet(path, options);
    const fields = { path: lexical, follow: options.follow !== "entry" };
    const { value } = await this.#ask<RemoteFound>(path, "locate", fields);
    const entry = value.entry ? entryAt(value.path, value.entry) : undefined;
    return { path: value.path, dangling: value.dangling, entry };
  }

  async #read(path: string, range: ByteRange = {}): Promise<{ entry: FileEntry; bytes: Uint8Array }> {
    const { path: lexical } = this.vet(path);
    const fields = { path: lexical, start: range.start ?? 0, limit: MAX_WHOLE_BYTES };
    const ask = () =>
      this.#ask<RemoteRead>(path, "read", range.end === undefined ? fields : { ...fields, end: range.end });
    const { value, body } = await ask().catch(async (thrown) => {
      if (!ToolError.is(thrown) || thrown.code !== "FILE_NOT_FOUND") throw thrown;
      throw await this.#notFound(path, { path: lexical });
    });
    this.parts.guard.judge(value.path, path);
    if (value.tooLarge === true) throw fileTooLarge(path, { size: value.entry.size, most: MAX_WHOLE_BYTES });
    return { entry: entryAt(value.path, value.entry), bytes: new Uint8Array(body) };
  }

  async #listFolders(
    paths: readonly string[],
    wants: { readonly entries: boolean; readonly rules: boolean },
    given?: string,
  ): Promise<readonly (ListedFolder | undefined)[]> {
    const { value } = await this.#ask<readonly RemoteListing[]>(given ?? ".", "list", { paths, ...wants });
    return value.map((listing) => listedFolder(listing, this.parts.guard, given));
  }

  /** Takes one more round trip: finds names similar to the missing one. */
  async #notFound(given: string, { path }: { readonly path: string }): Promise<ToolError> {
    const parent = parentPath(path);
    const [listed] = await this.#listFolders([parent], { entries: true, rules: false }).catch(() => []);
    const names = (listed?.entries ?? []).filter((entry) => !this.parts.guard.isSensitive(entry.path));
    const near = nearestNames(
      baseName(path),
      names.map(({ name }) => name),
      MAX_SUGGESTIONS,
    ).map((name) => joinPath(parent, name));
    return fileNotFound(given, near);
  }

  async #ask<T>(given: string, op: string, fields: object): Promise<Answer<T>> {
    try {
      return await this.parts.connection.ask<T>(op, fields);
    } catch (thrown) {
      throw asWorkspaceError(thrown, given);
    }
  }
}

const MAX_WHOLE_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const MAX_SUGGESTIONS = 3;
