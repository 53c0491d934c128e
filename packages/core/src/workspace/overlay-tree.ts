import { type FileChange, isModeChange, type Snapshot } from "./file-change.js";
import { type HeldNode, heldEntry, heldSnapshot, nodeOf, type OverlayNode } from "./overlay-node.js";
import { invalidPath, tooManyLinks } from "./path-errors.js";
import { baseName, isInside, joinPath, linkDestination, parentPath } from "./path-text.js";
import type { FileEntry, WalkOptions } from "./workspace.js";
import type { LocateOptions, Location, WorkspaceStore } from "./workspace-store.js";

/**
 * A view of a store through recorded changes. Holds a node for each path that differs from the store. Everything else,
 * including entries moved here unread, is looked up in the store.
 */
export class OverlayTree {
  readonly #store: WorkspaceStore;
  readonly #nodes = new Map<string, OverlayNode>();

  constructor(store: WorkspaceStore) {
    this.#store = store;
  }

  /** Like the store's `locate`, but follows links as they are in the overlay. */
  async locate(path: string, options: LocateOptions = {}): Promise<Location> {
    if (this.#nodes.size === 0) return this.#store.locate(path, options);
    let { path: pending } = this.#store.vet(path, options);
    for (let followed = 0; ; followed += 1) {
      const link = await this.#firstLink(pending, options.follow ?? "target");
      if (link === undefined) return this.#store.vet(pending, options);
      const destination = linkDestination(link.path, link.target);
      if (destination === undefined) throw invalidPath(path, "leads out of the workspace");
      if (followed === MAX_LINKS) throw tooManyLinks(path);
      const rest = pending.slice(link.path.length + 1);
      // A link to the root has the destination "": joining it with "/" would make the rest absolute.
      pending = this.#store.vet(rest === "" ? destination : joinPath(destination, rest), options).path;
    }
  }

  /** Returns the store path of a path's content, or undefined if the overlay holds it or it was removed. */
  basePath(path: string): string | undefined {
    for (let ancestor = path; ; ancestor = parentPath(ancestor)) {
      const node = this.#nodes.get(ancestor);
      if (node?.kind === "base") return node.from + path.slice(ancestor.length);
      if (node !== undefined) return undefined;
      if (ancestor === "") return path;
    }
  }

  /** Returns the node at exactly this path, unless its content is in the store. */
  held(path: string): HeldNode | undefined {
    const node = this.#nodes.get(path);
    return node === undefined || node.kind === "base" || node.kind === "gone" ? undefined : node;
  }

  async entry(path: string): Promise<FileEntry | undefined> {
    const held = this.held(path);
    if (held !== undefined) return heldEntry(path, held);
    const base = this.basePath(path);
    const entry = base === undefined ? undefined : await this.#store.entry(base);
    if (entry === undefined) return undefined;
    return { ...entry, path, name: baseName(path), ...this.#ownMode(path) };
  }

  async snapshot(path: string): Promise<Snapshot | undefined> {
    const held = this.held(path);
    const own = held === undefined ? undefined : heldSnapshot(held);
    if (own !== undefined) return own;
    const base = this.basePath(path);
    if (held === undefined && base === undefined) return undefined;
    if (held === undefined && !this.#touches(path)) return this.#store.snapshot(base as string);
    const entry = await this.entry(path);
    if (entry === undefined) return undefined;
    if (entry.type !== "directory") return this.#store.snapshot(base as string);
    // A directory that differs from the store has no hash the store could compute.
    return { type: "directory", hash: "", size: 0, mode: entry.mode, entries: await this.#pathsBelow(path) };
  }

  async list(path: string): Promise<readonly FileEntry[]> {
    const base = this.basePath(path);
    const fromStore = base === undefined ? [] : await this.#store.list(base);
    const kept = fromStore
      .map((entry) => ({ ...entry, path: joinPath(path, entry.name) }))
      .filter((entry) => !this.#nodes.has(entry.path));
    const own: FileEntry[] = [];
    for (const child of this.#nodes.keys()) {
      if (child === "" || parentPath(child) !== path) continue;
      const entry = await this.entry(child);
      if (entry !== undefined) own.push(entry);
    }
    return [...kept, ...own].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async *walk(path: string, options: WalkOptions): AsyncIterable<FileEntry> {
    const base = this.basePath(path);
    if (!this.#touches(path) && base !== undefined) {
      for await (const entry of this.#store.walk(base, options))
        yield { ...entry, path: path + entry.path.slice(base.length) };
      return;
    }
    yield* this.#walkMerged(path, options, options.maxDepth ?? Number.POSITIVE_INFINITY);
  }

  apply(change: FileChange): void {
    if (isModeChange(change)) {
      this.#setMode(change.path, change.after.mode);
      return;
    }
    if (change.kind === "create" || change.kind === "modify") {
      this.#nodes.set(change.path, nodeOf(change.after));
      return;
    }
    if (change.kind === "delete") {
      this.#forgetBelow(change.path);
      this.#nodes.set(change.path, { kind: "gone" });
      return;
    }
    this.#moveNodes(change.from, change.path);
  }

  /** Entries below a directory do not move when its permissions change. */
  #setMode(path: string, mode: number): void {
    const node = this.#nodes.get(path);
    if (node?.kind === "directory") this.#nodes.set(path, { ...node, mode });
    else this.#nodes.set(path, { kind: "base", from: this.basePath(path) ?? path, mode });
  }

  #ownMode(path: string): { readonly mode?: number } {
    const node = this.#nodes.get(path);
    return node?.kind === "base" && node.mode !== undefined ? { mode: node.mode } : {};
  }

  #moveNodes(from: string, to: string): void {
    this.#forgetBelow(to);
    const moved = this.#nodes.get(from) ?? { kind: "base" as const, from: this.basePath(from) ?? from };
    const below = [...this.#nodes].filter(([path]) => path !== from && isInside(path, from));
    this.#forgetBelow(from);
    this.#nodes.set(to, moved);
    for (const [path, node] of below) this.#nodes.set(to + path.slice(from.length), node);
    this.#nodes.set(from, { kind: "gone" });
  }

  #forgetBelow(path: string): void {
    for (const known of [...this.#nodes.keys()]) if (isInside(known, path)) this.#nodes.delete(known);
  }

  /** Returns whether anything at or below a path differs from the store. */
  #touches(path: string): boolean {
    for (const [known, node] of this.#nodes)
      if (isInside(known, path) && !(known === path && node.kind === "base")) return true;
    return false;
  }

  async *#walkMerged(path: string, options: WalkOptions, depth: number): AsyncIterable<FileEntry> {
    if (depth <= 0) return;
    for (const entry of await this.list(path)) {
      options.signal?.throwIfAborted();
      if (!options.includeHidden && entry.name.startsWith(".")) continue;
      yield entry;
      if (entry.type === "directory" && (entry.ignored !== true || options.includeIgnored === true))
        yield* this.#walkMerged(entry.path, options, depth - 1);
    }
  }

  async #pathsBelow(directory: string): Promise<readonly string[]> {
    const paths: string[] = [];
    for await (const entry of this.#walkMerged(
      directory,
      { includeHidden: true, includeIgnored: true },
      Number.POSITIVE_INFINITY,
    )) {
      paths.push(entry.path.slice(directory.length + 1));
    }
    return paths.sort();
  }

  async #firstLink(
    path: string,
    follow: "entry" | "target",
  ): Promise<{ path: string; target: string } | undefined> {
    const parts = path === "" ? [] : path.split("/");
    const last = follow === "entry" ? parts.length - 1 : parts.length;
    for (let count = 1; count <= last; count += 1) {
      const prefix = parts.slice(0, count).join("/");
      const entry = await this.entry(prefix);
      if (entry === undefined) return undefined;
      if (entry.type === "symlink") return { path: prefix, target: entry.target ?? "" };
    }
    return undefined;
  }
}

const MAX_LINKS = 40;
