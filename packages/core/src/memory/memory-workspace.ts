import type { FileChange, Snapshot } from "../workspace/file-change.js";
import { parsePath } from "../workspace/parse-path.js";
import { parentPath } from "../workspace/path-text.js";
import type { FileEntry } from "../workspace/workspace.js";
import type { CommitCall, WorkspaceStore } from "../workspace/workspace-store.js";
import { applyChanges } from "./apply-changes.js";
import { MemoryReader, type MemoryWorkspaceOptions } from "./memory-reader.js";
import { digestBytes, hashBytes, snapshotOf } from "./memory-snapshot.js";
import { directoryNode, fileNode, linkNode, type MemoryNode } from "./memory-tree.js";

export type { MemoryWorkspaceOptions } from "./memory-reader.js";

/** The initial content: paths mapped to text, bytes or a link; `dir/` maps to null. */
export type InitialFiles = Readonly<Record<string, InitialFile>>;

export type InitialFile =
  | string
  | Uint8Array
  | null
  | undefined
  | { readonly link: string }
  | { readonly content: string | Uint8Array; readonly mode: number };

/** A workspace in memory. It has no ignore files; otherwise the rules of a folder apply. */
export class MemoryWorkspace extends MemoryReader implements WorkspaceStore {
  /** The calls that committed, in order. */
  readonly commits: CommitCall[] = [];

  constructor(files: InitialFiles = {}, options: MemoryWorkspaceOptions = {}) {
    super(options);
    for (const [path, file] of Object.entries(files)) this.put(path, file);
  }

  /** Writes without any check, as another program would. */
  put(path: string, file: InitialFile): void {
    const place = parsePath(path, [this.root]);
    this.tree.makeDirectories(parentPath(place));
    this.tree.set(place, initialNode(file));
  }

  /** Deletes without any check, as another program would. */
  drop(path: string): void {
    this.tree.delete(parsePath(path, [this.root]));
  }

  /** The whole content, comparable with `toEqual`: bytes as latin-1, with mode; links as `-> target`. */
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
    await call.beforeFirstEffect?.();
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
  return [path, `${node.mode.toString(8)} ${latin1(node.bytes)}`];
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
