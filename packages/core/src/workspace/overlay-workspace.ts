import { decodeText, type TextFormat } from "@haft/text";
import { ToolError } from "../error/tool-error.js";
import { encodeFor } from "./encode-for.js";
import type { FileChange, NewState, Snapshot } from "./file-change.js";
import { OverlayReader } from "./overlay-reader.js";
import { isInside, linkDestination, parentPath } from "./path-text.js";
import { recordChange } from "./record-change.js";
import type { MoveOptions, Workspace, WriteOptions, WriteTextOptions } from "./workspace.js";
import type { Location, WorkspaceStore } from "./workspace-store.js";

/**
 * A workspace whose writes stay in memory and are recorded. A tool that changes files is rehearsed
 * on one; what it recorded is what gets shown, asked about and applied.
 */
export class OverlayWorkspace extends OverlayReader implements Workspace {
  readonly #maxHeldBytes: number;
  readonly #changes: FileChange[] = [];
  #heldBytes = 0;

  constructor(store: WorkspaceStore, options: { readonly maxHeldBytes?: number } = {}) {
    super(store);
    this.#maxHeldBytes = options.maxHeldBytes ?? DEFAULT_MAX_HELD_BYTES;
  }

  /** What was recorded so far, in the order in which it must be applied. */
  get changes(): readonly FileChange[] {
    return [...this.#changes];
  }

  async writeText(path: string, text: string, options: WriteTextOptions = {}): Promise<void> {
    const place = await this.#place(path);
    const before = await this.#writable(place.path);
    const bytes = encodeFor(text, options.format, await this.#formatOf(place.path, before));
    await this.#put(place, bytes, { ...options, before });
  }

  async writeBytes(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
    const place = await this.#place(path);
    await this.#put(place, Uint8Array.from(bytes), {
      ...options,
      before: await this.#writable(place.path),
    });
  }

  async createText(path: string, text: string, options: WriteTextOptions = {}): Promise<void> {
    await this.createBytes(path, encodeFor(text, options.format, undefined), options);
  }

  async createBytes(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
    const place = await this.#place(path);
    await this.#assertFree(place.path);
    await this.#put(place, Uint8Array.from(bytes), { ...options, before: undefined });
  }

  async createDirectory(path: string): Promise<void> {
    const place = await this.#place(path);
    if (place.path === "" || (await this.tree.entry(place.path))?.type === "directory") return;
    await this.#assertFree(place.path);
    await this.#makeParents(place.path, true);
    this.#record({ kind: "create", path: place.path, after: { type: "directory" }, ...flag(place) });
  }

  async createLink(path: string, target: string): Promise<void> {
    const place = await this.#place(path, "entry");
    await this.#assertFree(place.path);
    const destination = linkDestination(place.path, target);
    if (destination === undefined)
      throw new ToolError("INVALID_PATH", `Access denied: ${target} is outside the workspace`);
    await this.tree.locate(destination, { purpose: "write" });
    await this.#makeParents(place.path, true);
    this.#record({ kind: "create", path: place.path, after: { type: "symlink", target }, ...flag(place) });
  }

  async remove(path: string, options: { readonly recursive?: boolean } = {}): Promise<readonly string[]> {
    const place = await this.#place(path, "entry");
    const before = await this.#existing(place.path, path);
    const entries = before.entries ?? [];
    if (options.recursive !== true && entries.length > 0) {
      throw new ToolError("DIRECTORY_NOT_EMPTY", `${path} is a directory with ${entries.length} entries`, {
        hint: "Empty it first, or let the call delete everything below it.",
      });
    }
    const isProtected = await this.#anyProtected(place, entries);
    if (before.hash === "") await this.#removeEach(place.path, entries);
    const left = before.hash === "" ? await this.#existing(place.path, path) : before;
    this.#record({ kind: "delete", path: place.path, before: left, ...flag({ protected: isProtected }) });
    return [place.path, ...entries.map((entry) => `${place.path}/${entry}`)];
  }

  /**
   * A directory that this rehearsal has changed has no hash to be compared with the store's. So what
   * is in it goes one by one, each only if it still is what it was.
   */
  async #removeEach(directory: string, entries: readonly string[]): Promise<void> {
    for (const entry of [...entries].sort().reverse()) {
      const path = `${directory}/${entry}`;
      const { protected: isProtected } = this.store.vet(path, { purpose: "write" });
      const before = await this.#existing(path, path);
      this.#record({ kind: "delete", path, before, ...flag({ protected: isProtected }) });
    }
  }

  async move(from: string, to: string, options: MoveOptions = {}): Promise<void> {
    const source = await this.#place(from, "entry");
    const destination = await this.#place(to, "entry");
    const before = await this.#existing(source.path, from);
    if (source.path === destination.path) return;
    if (isInside(destination.path, source.path))
      throw new ToolError("INVALID_PATH", `Cannot move ${from} into itself: ${to}`);
    const replaces = await this.#replaced(destination.path, to, options);
    const isProtected =
      (await this.#anyProtected(source, before.entries ?? [])) ||
      (await this.#anyProtected(destination, before.entries ?? []));
    await this.#makeParents(destination.path, options.createDirs ?? true);
    const overwritten = replaces === undefined ? {} : { replaces };
    this.#record({
      kind: "move",
      from: source.path,
      path: destination.path,
      before,
      ...overwritten,
      ...flag({ protected: isProtected }),
    });
  }

  async #put(
    place: Location,
    bytes: Uint8Array,
    options: WriteOptions & { readonly before: Snapshot | undefined },
  ): Promise<void> {
    const { before } = options;
    const mode = options.mode ?? this.#modeOf(place.path, before);
    const after: NewState & { type: "file" } = {
      type: "file",
      bytes,
      hash: this.store.hash(bytes),
      ...(mode === undefined ? {} : { mode }),
    };
    if (before === undefined) {
      await this.#makeParents(place.path, options.createDirs ?? true);
      this.#record({ kind: "create", path: place.path, after, ...flag(place) });
    } else if (before.hash !== after.hash || (mode !== undefined && before.mode !== mode)) {
      this.#record({ kind: "modify", path: place.path, before, after, ...flag(place) });
    }
  }

  /** What a write replaces. Asked of the entry first: a directory must not be read to be refused. */
  async #writable(path: string): Promise<Snapshot | undefined> {
    const type = path === "" ? "directory" : (await this.tree.entry(path))?.type;
    if (type === undefined || type === "file")
      return this.#asSeen(path, type && (await this.tree.snapshot(path)));
    if (type === "directory") throw new ToolError("IS_DIRECTORY", `${path || "."} is a directory`);
    throw new ToolError("NOT_A_FILE", `${path} is not a regular file`);
  }

  #asSeen(path: string, now: Snapshot | undefined): Snapshot | undefined {
    const base = this.tree.held(path) === undefined ? this.tree.basePath(path) : undefined;
    return base === undefined ? now : this.seen.asSeen(base, now);
  }

  /** A file made in this rehearsal gets the mode that new files get, unless it was given one. */
  #modeOf(path: string, before: Snapshot | undefined): number | undefined {
    const held = this.tree.held(path);
    return held?.kind === "file" ? held.mode : before?.mode;
  }

  #record(change: FileChange): void {
    const last = this.#changes.at(-1);
    const room = this.#maxHeldBytes - this.#heldBytes + heldBytes(last);
    const tail = fitting(recordChange(last, change), room);
    const tailBytes = tail.reduce((sum, recorded) => sum + heldBytes(recorded), 0);
    if (tailBytes > room) throw tooMuch(this.#maxHeldBytes - room + tailBytes, this.#maxHeldBytes);
    this.#changes.splice(-1, 1, ...tail);
    this.#heldBytes += tailBytes - heldBytes(last);
    this.tree.apply(change);
  }

  #place(path: string, follow: "entry" | "target" = "target"): Promise<Location> {
    return this.tree.locate(path, { purpose: "write", follow });
  }

  /** A directory takes what is below it along, so all of that must be allowed, and may be protected. */
  async #anyProtected(place: Location, entries: readonly string[]): Promise<boolean> {
    let isProtected = place.protected;
    for (const entry of entries)
      isProtected = this.store.vet(`${place.path}/${entry}`, { purpose: "write" }).protected || isProtected;
    return isProtected;
  }

  async #existing(path: string, given: string): Promise<Snapshot> {
    if (path === "") throw new ToolError("INVALID_PATH", "The workspace itself cannot be moved or deleted");
    const snapshot = this.#asSeen(path, await this.tree.snapshot(path));
    if (snapshot === undefined) throw new ToolError("FILE_NOT_FOUND", `File not found: ${given}`);
    return snapshot;
  }

  async #replaced(path: string, given: string, options: MoveOptions): Promise<Snapshot | undefined> {
    const taken = path === "" ? undefined : this.#asSeen(path, await this.tree.snapshot(path));
    if (taken === undefined && path !== "") return undefined;
    if (taken === undefined || taken.type === "directory") {
      throw new ToolError("DESTINATION_EXISTS", `${given} is a directory`, {
        hint: "Give the full new name, below that directory.",
      });
    }
    if (options.overwrite === true) return taken;
    throw new ToolError("DESTINATION_EXISTS", `${given} already exists`, {
      hint: "Choose another name, or let the call replace it.",
    });
  }

  async #assertFree(path: string): Promise<void> {
    if (path !== "" && (await this.tree.entry(path)) === undefined) return;
    throw new ToolError("ALREADY_EXISTS", `${path === "" ? "." : path} already exists`);
  }

  async #makeParents(path: string, isAllowed: boolean): Promise<void> {
    const parent = parentPath(path);
    if (parent === "") return;
    const standing = await this.tree.entry(parent);
    if (standing?.type === "directory") return;
    if (standing !== undefined)
      throw new ToolError("NOT_A_DIRECTORY", `${parent} is a ${standing.type}, not a directory`);
    if (!isAllowed) {
      throw new ToolError("PATH_NOT_FOUND", `The directory ${parent} does not exist`, {
        hint: "Make it first, or let the call make missing directories.",
      });
    }
    await this.#makeParents(parent, isAllowed);
    this.#record({ kind: "create", path: parent, after: { type: "directory" } });
  }

  async #formatOf(path: string, before: Snapshot | undefined): Promise<TextFormat | "binary" | undefined> {
    if (before?.type !== "file") return undefined;
    return decodeText(before.bytes ?? (await this.readBytes(path)))?.format ?? "binary";
  }
}

const DEFAULT_MAX_HELD_BYTES = 20 * 1024 * 1024;

function flag(place: { readonly protected: boolean }): { protected?: true } {
  return place.protected ? { protected: true } : {};
}

/**
 * What is deleted or moved away is held only to be shown: where there is no room for its content the
 * change goes without, and is told by its size.
 */
function fitting(changes: readonly FileChange[], room: number): readonly FileChange[] {
  const change = changes.at(-1);
  const isOver = changes.reduce((sum, recorded) => sum + heldBytes(recorded), 0) > room;
  if (!isOver || (change?.kind !== "delete" && change?.kind !== "move")) return changes;
  const { bytes: _shown, ...before } = change.before;
  if (change.kind === "delete") return [...changes.slice(0, -1), { ...change, before }];
  if (change.replaces === undefined) return [...changes.slice(0, -1), { ...change, before }];
  const { bytes: _lost, ...replaces } = change.replaces;
  return [...changes.slice(0, -1), { ...change, before, replaces }];
}

/** Every buffer that a change keeps in memory. */
function heldBytes(change: FileChange | undefined): number {
  if (change === undefined) return 0;
  const before = change.kind === "create" ? 0 : (change.before.bytes?.length ?? 0);
  const replaced = change.kind === "move" ? (change.replaces?.bytes?.length ?? 0) : 0;
  const after = "after" in change && change.after.type === "file" ? change.after.bytes.length : 0;
  return before + replaced + after;
}

function tooMuch(heldBytes: number, maxHeldBytes: number): ToolError {
  return new ToolError(
    "FILE_TOO_LARGE",
    `This call would change ${heldBytes} bytes at once; at most ${maxHeldBytes} are allowed`,
    { hint: "Change fewer or smaller files in one call." },
  );
}
