import { ToolError } from "../error/tool-error.js";
import type { Snapshot } from "./file-change.js";
import type { OverlayReader } from "./overlay-reader.js";
import { flag, type OverlayRecorder } from "./overlay-recorder.js";
import { fileNotFound } from "./path-errors.js";
import { isInside } from "./path-text.js";
import type { MoveOptions, WorkspaceMover, WorkspaceRemover } from "./workspace.js";
import type { Location } from "./workspace-store.js";

/** Moves and deletes entries in memory. */
export class OverlayMover implements WorkspaceMover, WorkspaceRemover {
  readonly #reader: OverlayReader;
  readonly #recorder: OverlayRecorder;

  constructor(reader: OverlayReader, recorder: OverlayRecorder) {
    this.#reader = reader;
    this.#recorder = recorder;
  }

  async remove(path: string, options: { readonly recursive?: boolean } = {}): Promise<readonly string[]> {
    const place = await this.#recorder.place(path, "entry");
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
    this.#recorder.record({
      kind: "delete",
      path: place.path,
      before: left,
      ...flag({ protected: isProtected }),
    });
    return [place.path, ...entries.map((entry) => `${place.path}/${entry}`)];
  }

  /**
   * Removes the entries one by one, each only if unchanged: a directory that this rehearsal has changed has no hash to
   * compare with the store's.
   */
  async #removeEach(directory: string, entries: readonly string[]): Promise<void> {
    for (const entry of [...entries].sort().reverse()) {
      const path = `${directory}/${entry}`;
      const { protected: isProtected } = this.#reader.store.vet(path, { purpose: "write" });
      const before = await this.#existing(path, path);
      this.#recorder.record({ kind: "delete", path, before, ...flag({ protected: isProtected }) });
    }
  }

  async move(from: string, to: string, options: MoveOptions = {}): Promise<void> {
    const source = await this.#recorder.place(from, "entry");
    const destination = await this.#recorder.place(to, "entry");
    const before = await this.#existing(source.path, from);
    if (source.path === destination.path) return;
    if (isInside(destination.path, source.path))
      throw new ToolError("INVALID_PATH", `Cannot move ${from} into itself: ${to}`);
    const replaces = await this.#replaced(destination.path, to, options);
    const isProtected =
      (await this.#anyProtected(source, before.entries ?? [])) ||
      (await this.#anyProtected(destination, before.entries ?? []));
    await this.#recorder.makeParents(destination.path, options.createDirs ?? true);
    const overwritten = replaces === undefined ? {} : { replaces };
    this.#recorder.record({
      kind: "move",
      from: source.path,
      path: destination.path,
      before,
      ...overwritten,
      ...flag({ protected: isProtected }),
    });
  }

  /** Moving a directory moves everything below it, so all of it must be allowed and may be protected. */
  async #anyProtected(place: Location, entries: readonly string[]): Promise<boolean> {
    let isProtected = place.protected;
    for (const entry of entries)
      isProtected =
        this.#reader.store.vet(`${place.path}/${entry}`, { purpose: "write" }).protected || isProtected;
    return isProtected;
  }

  async #existing(path: string, given: string): Promise<Snapshot> {
    if (path === "") throw new ToolError("INVALID_PATH", "The workspace itself cannot be moved or deleted");
    const snapshot = this.#reader.asSeen(path, await this.#reader.tree.snapshot(path));
    if (snapshot === undefined) throw fileNotFound(given);
    return snapshot;
  }

  async #replaced(path: string, given: string, options: MoveOptions): Promise<Snapshot | undefined> {
    const taken = path === "" ? undefined : this.#reader.asSeen(path, await this.#reader.tree.snapshot(path));
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
}
