import { isInside, joinPath, linkDestination, parentPath } from "../workspace/path-text.js";

/** A file system as a map from path to node; nodes are never changed, only replaced. */
export class MemoryTree {
  readonly #nodes: Map<string, MemoryNode>;

  constructor(nodes: Iterable<readonly [string, MemoryNode]> = []) {
    this.#nodes = new Map(nodes);
  }

  copy(): MemoryTree {
    return new MemoryTree(this.#nodes);
  }

  get(path: string): MemoryNode | undefined {
    return path === "" ? ROOT : this.#nodes.get(path);
  }

  set(path: string, node: MemoryNode): void {
    this.#nodes.set(path, node);
  }

  makeDirectories(path: string): void {
    if (path === "" || this.#nodes.has(path)) return;
    this.makeDirectories(parentPath(path));
    this.#nodes.set(path, directoryNode());
  }

  delete(path: string): void {
    for (const known of [...this.#nodes.keys()]) if (isInside(known, path)) this.#nodes.delete(known);
  }

  move(from: string, to: string): void {
    const moved = [...this.#nodes].filter(([path]) => isInside(path, from));
    this.delete(to);
    this.delete(from);
    for (const [path, node] of moved) this.#nodes.set(to + path.slice(from.length), node);
  }

  /** Names in one directory, in code unit order. */
  names(directory: string): readonly string[] {
    const prefix = joinPath(directory, "");
    return [...this.#nodes.keys()]
      .filter((path) => path.startsWith(prefix) && !path.includes("/", prefix.length))
      .map((path) => path.slice(prefix.length))
      .sort();
  }

  /** Every path below a directory, relative to it, sorted. */
  pathsBelow(directory: string): readonly string[] {
    const prefix = joinPath(directory, "");
    return [...this.#nodes.keys()]
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length))
      .sort();
  }

  entries(): readonly (readonly [string, MemoryNode])[] {
    return [...this.#nodes].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Returns the first link along a path. `follow` says whether the last part counts. */
  firstLink(
    path: string,
    follow: "entry" | "target",
  ): { path: string; destination: string | undefined } | undefined {
    const parts = path === "" ? [] : path.split("/");
    const last = follow === "entry" ? parts.length - 1 : parts.length;
    for (let count = 1; count <= last; count += 1) {
      const prefix = parts.slice(0, count).join("/");
      const node = this.get(prefix);
      if (node === undefined) return undefined;
      if (node.type === "symlink") return { path: prefix, destination: linkDestination(prefix, node.target) };
    }
    return undefined;
  }
}

export type MemoryNode = FileNode | DirectoryNode | LinkNode;

export interface FileNode {
  readonly type: "file";
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly modifiedMs: number;
}

interface DirectoryNode {
  readonly type: "directory";
  readonly mode: number;
  readonly modifiedMs: number;
}

interface LinkNode {
  readonly type: "symlink";
  readonly target: string;
  readonly mode: number;
  readonly modifiedMs: number;
}

export function fileNode(bytes: Uint8Array, mode = 0o644): FileNode {
  return { type: "file", bytes, mode, modifiedMs: Date.now() };
}

export function directoryNode(mode = 0o755): DirectoryNode {
  return { type: "directory", mode, modifiedMs: Date.now() };
}

export function linkNode(target: string): LinkNode {
  return { type: "symlink", target, mode: 0o777, modifiedMs: Date.now() };
}

const ROOT: DirectoryNode = { type: "directory", mode: 0o755, modifiedMs: 0 };
