import { decodeText, findTextPart, type TextPlace } from "@haft/text";
import { ToolError } from "../error/tool-error.js";
import { parsePath } from "../workspace/parse-path.js";
import {
  binaryFile,
  cannotReadDirectory,
  directoryNotFound,
  fileNotFound,
  invalidPath,
  notADirectory,
  tooManyLinks,
} from "../workspace/path-errors.js";
import { baseName, joinPath } from "../workspace/path-text.js";
import type {
  ByteRange,
  FileEntry,
  FileStat,
  TextFile,
  WalkOptions,
  WorkspaceAnchor,
  WorkspaceReader,
} from "../workspace/workspace.js";
import type { LocateOptions, Location, StoredTextPart } from "../workspace/workspace-store.js";
import { hashBytes } from "./memory-snapshot.js";
import { type FileNode, type MemoryNode, MemoryTree } from "./memory-tree.js";

export interface MemoryWorkspaceOptions {
  /** Paths that are refused with SENSITIVE_FILE. */
  readonly sensitive?: (path: string) => boolean;
  /** Paths whose changes always need approval. */
  readonly protected?: (path: string) => boolean;
}

/** The reading half of a workspace in memory. */
export class MemoryReader implements WorkspaceAnchor, WorkspaceReader {
  readonly root = "/workspace";
  protected tree = new MemoryTree();
  readonly #options: MemoryWorkspaceOptions;

  constructor(options: MemoryWorkspaceOptions) {
    this.#options = options;
  }

  absolute(path: string): string {
    return [this.root, ...parsePath(path, [this.root]).split("/")].filter((part) => part !== "").join("/");
  }

  vet(path: string, options: LocateOptions = {}): Location {
    const place = parsePath(path, [this.root]);
    if (this.#options.sensitive?.(place) === true)
      throw new ToolError("SENSITIVE_FILE", `Access denied: ${place} is a sensitive file`);
    return {
      path: place,
      protected: options.purpose === "write" && this.#options.protected?.(place) === true,
    };
  }

  async locate(path: string, options: LocateOptions = {}): Promise<Location> {
    let { path: pending } = this.vet(path, options);
    for (let followed = 0; ; followed += 1) {
      const link = this.tree.firstLink(pending, options.follow ?? "target");
      if (link === undefined) return this.vet(pending, options);
      if (link.destination === undefined) throw invalidPath(path, "leads out of the workspace");
      if (followed === MAX_LINKS) throw tooManyLinks(path);
      const rest = pending.slice(link.path.length + 1);
      pending = this.vet(rest === "" ? link.destination : joinPath(link.destination, rest), options).path;
    }
  }

  async readText(path: string): Promise<string> {
    return (await this.readTextFile(path)).text;
  }

  async readTextFile(path: string): Promise<TextFile> {
    const { node, located } = await this.#file(path);
    const decoded = decodeText(node.bytes);
    if (decoded === undefined) throw binaryFile(path, node.bytes);
    return { ...statOf(located, node), ...decoded, hash: hashBytes(node.bytes) };
  }

  /** Returns a part of any file, however short, so that tests cover partial reads with small files. */
  async textPart(path: string, place: TextPlace): Promise<StoredTextPart | undefined> {
    const { node, located } = await this.#file(path);
    const { bytes } = node;
    const format = decodeText(bytes)?.format;
    if (format?.encoding !== "utf-8") return undefined;
    const indexOf = (wanted: Uint8Array, from: number, to: number) =>
      indexOfBytes(bytes.subarray(0, to), wanted, from);
    const part = findTextPart({ bytes, body: format.bom ? 3 : 0, indexOf }, place);
    return part && { ...statOf(located, node), ...part, format, hash: hashBytes(bytes), bytes };
  }

  async readBytes(path: string, range: ByteRange = {}): Promise<Uint8Array> {
    return (await this.#file(path)).node.bytes.slice(range.start ?? 0, range.end);
  }

  async *stream(path: string, range: ByteRange = {}): AsyncIterable<Uint8Array> {
    const bytes = await this.readBytes(path, range);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.slice(at, at + CHUNK_BYTES);
  }

  async stat(path: string): Promise<FileStat> {
    const { path: located } = await this.locate(path);
    const node = this.tree.get(located);
    if (node === undefined) throw fileNotFound(path);
    return statOf(located, node);
  }

  async exists(path: string): Promise<boolean> {
    return this.tree.get((await this.locate(path)).path) !== undefined;
  }

  async list(path: string): Promise<readonly FileEntry[]> {
    const directory = await this.#directory(path);
    return this.tree.names(directory).map((name) => {
      const child = joinPath(directory, name);
      return this.entryOf(child, this.tree.get(child) as MemoryNode);
    });
  }

  async *walk(path: string, options: WalkOptions = {}): AsyncIterable<FileEntry> {
    const maxDepth = options.maxDepth ?? Number.POSITIVE_INFINITY;
    if (maxDepth <= 0) return;
    for (const entry of await this.list(path)) {
      options.signal?.throwIfAborted();
      if (!options.includeHidden && entry.name.startsWith(".")) continue;
      yield entry;
      if (entry.type === "directory") yield* this.walk(entry.path, { ...options, maxDepth: maxDepth - 1 });
    }
  }

  async hashOf(path: string): Promise<string> {
    return hashBytes((await this.#file(path)).node.bytes);
  }

  async #file(path: string): Promise<{ node: FileNode; located: string }> {
    const { path: located } = await this.locate(path);
    const node = this.tree.get(located);
    if (node === undefined) throw fileNotFound(path);
    if (node.type !== "file") throw cannotReadDirectory(path);
    return { node, located };
  }

  async #directory(path: string): Promise<string> {
    const { path: located } = await this.locate(path);
    const node = this.tree.get(located);
    if (node === undefined) throw directoryNotFound(path);
    if (node.type !== "directory") throw notADirectory(path);
    return located;
  }

  protected entryOf(path: string, node: MemoryNode): FileEntry {
    const entry = { ...statOf(path, node), name: baseName(path) };
    if (node.type !== "symlink") return entry;
    return { ...entry, target: node.target, ...(this.#leadsOut(path) ? { outside: true } : {}) };
  }

  #leadsOut(path: string): boolean {
    const destination = this.tree.firstLink(path, "target")?.destination;
    return (
      destination === undefined || (destination.startsWith("/") && !destination.startsWith(`${this.root}/`))
    );
  }
}

const MAX_LINKS = 40;
const CHUNK_BYTES = 64 * 1024;

function statOf(path: string, node: MemoryNode): FileStat {
  const size = node.type === "file" ? node.bytes.length : node.type === "symlink" ? node.target.length : 0;
  return { path, type: node.type, size, modifiedMs: node.modifiedMs, mode: node.mode };
}

/** Like Buffer's indexOf, which only Node has. */
function indexOfBytes(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1))
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  return -1;
}
