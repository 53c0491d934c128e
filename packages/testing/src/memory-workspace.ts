import {
  type CommitCall,
  type FileChange,
  type FileEntry,
  parentPath,
  type Snapshot,
  type WorkspaceStore,
} from "@haft/core";
import { applyChanges } from "./memory/apply-changes.js";
import { MemoryReader, type MemoryWorkspaceOptions } from "./memory/memory-reader.js";
import { digestBytes, hashBytes, snapshotOf } from "./memory/memory-snapshot.js";
import { directoryNode, fileNode, linkNode, type MemoryNode } from "./memory/memory-tree.js";
import { vetPath } from "./memory/vet-path.js";

export type { MemoryWorkspaceOptions } from "./memory/memory-reader.js";

/** What a memory workspace starts with: path to text, bytes, a link, or for `dir/` nothing. */
export type InitialFiles = Readonly<Record<string, InitialFile>>;

export type InitialFile =
  | string
  | Uint8Array
  | null
  | undefined
  | { readonly link: string }
  | { readonly content: string | Uint8Array; readonly mode: number };

/** A workspace in memory: no ignore files, otherwise the rules of one on a disk. */
export class MemoryWorkspace extends MemoryReader implements WorkspaceStore {
  /** Who committed, in order. */
  readonly commits: CommitCall[] = [];

  constructor(files: InitialFiles = {}, options: MemoryWorkspaceOptions = {}) {
    super(options);
    for (const [path, file] of Object.entries(files)) this.put(path, file);
  }

  /** Changes the store past every check, as another program would. */
  put(path: string, file: InitialFile): void {
    const place = vetPath(this.root, path);
    this.tree.makeDirectories(parentPath(place));
    this.tree.set(place, initialNode(file));
  }

  /** Deletes past every check, as another program would. */
  drop(path: string): void {
    this.tree.delete(vetPath(this.root, path));
  }

  /** Everything in it, comparable with `toEqual`: bytes as latin-1, with mode; links as `-> target`. */
  dump(): Record<string, string> {
    return Object.fromEntries(this.tree.entries().map(([path, node]) => dumpNode(path, node)));
  }

  async entry(path: string): Promise<FileEntry | undefined> {
    const node = this.tree.get(path);
    return node === undefined ? undefined : this.entryOf(path, node);
  }

  async snapshot(path: string): Promise<Snapshot | undefined> {
    return snapshotOf(this.tree, path);
  }

  hash(bytes: Uint8Array): string {
    return hashBytes(bytes);
  }

  digest(bytes: Uint8Array): string {
    return digestBytes(bytes);
  }

  async commit(changes: readonly FileChange[], call: CommitCall): Promise<void> {
    for (const change of changes) {
      this.vet(change.path, { purpose: "write" });
      if (change.kind === "move") this.vet(change.from, { purpose: "write" });
    }
    const next = applyChanges(this.tree, changes);
    call.beforeFirstEffect?.();
    this.tree = next;
    this.commits.push({ callId: call.callId, tool: call.tool });
  }
}

function initialNode(file: InitialFile): MemoryNode {
  if (file === null || file === undefined) return directoryNode();
  if (typeof file === "string" || ArrayBuffer.isView(file)) return fileNode(bytesOf(file));
  return "link" in file ? linkNode(file.link) : fileNode(bytesOf(file.content), file.mode);
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
}

function dumpNode(path: string, node: MemoryNode): readonly [string, string] {
  if (node.type === "directory") return [`${path}/`, ""];
  if (node.type === "symlink") return [path, `-> ${node.target}`];
  return [path, `${node.mode.toString(8)} ${Buffer.from(node.bytes).toString("latin1")}`];
}
