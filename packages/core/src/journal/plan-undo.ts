import { ToolError } from "../error/tool-error.js";
import { directoryWithMode, type FileChange, type Snapshot } from "../workspace/file-change.js";
import { OverlayWorkspace } from "../workspace/overlay-workspace.js";
import { baseName, parentPath } from "../workspace/path-text.js";
import type { FileEntry } from "../workspace/workspace.js";
import type { WorkspaceStore } from "../workspace/workspace-store.js";
import type { ChangeRecord, JournalledChange } from "./change-record.js";
import { inTrash, lost } from "./undo-errors.js";

/** Plans the changes that undo one record; see `UndoDraft.add`. */
export async function planUndo(
  store: WorkspaceStore,
  former: FormerContent,
  record: ChangeRecord,
): Promise<readonly FileChange[]> {
  const draft = new UndoDraft(store, former, [record]);
  await draft.add(record);
  return draft.changes;
}

/** Where the content that changes replaced is kept. */
export interface FormerContent {
  read(key: string): Promise<Uint8Array>;
  /** Present where the store keeps deleted entries whole. */
  readonly trash?: {
    snapshot(key: string, options: { readonly maxHeldBytes: number }): Promise<Snapshot | undefined>;
    pathOf(key: string): string;
  };
}

/** Rehearses the undo of records on one overlay. */
export class UndoDraft {
  readonly #overlay: OverlayWorkspace;
  readonly #store: WorkspaceStore;
  readonly #former: FormerContent;
  readonly #maxHeldBytes: number;
  readonly #conflicts: Conflict[] = [];

  constructor(store: WorkspaceStore, former: FormerContent, records: readonly ChangeRecord[]) {
    this.#overlay = new OverlayWorkspace(store, { maxHeldBytes: MAX_UNDO_BYTES });
    this.#store = store;
    this.#former = former;
    // Restored content that changes again is kept like any other.
    const modifies = records.some(({ changes }) => changes.some(({ kind }) => kind === "modify"));
    this.#maxHeldBytes = modifies ? MAX_FORMER_BYTES : 0;
  }

  get changes(): readonly FileChange[] {
    return this.#overlay.changes;
  }

  /**
   * Undoes one record on the overlay. Touches only paths that the record names. Rejects with STALE_FILE, naming every
   * path that is no longer as the record left it; the draft is then of no further use.
   */
  async add(record: ChangeRecord): Promise<void> {
    for (const change of [...record.changes].reverse()) await this.#takeBack(change);
    this.#assertNoConflict(record);
  }

  async #takeBack(change: JournalledChange): Promise<void> {
    const current = await this.#entry(change.path);
    if (change.kind === "create") return this.#undoCreate(change, current);
    if (change.kind === "modify") return this.#undoModify(change, current);
    if (change.kind === "delete") return this.#undoDelete(change, current);
    return this.#undoMove(change, current);
  }

  #assertNoConflict(record: ChangeRecord): void {
    const [first] = this.#conflicts;
    if (first === undefined) return;
    const paths = this.#conflicts.map(({ path }) => path).join(", ");
    throw new ToolError("STALE_FILE", `Cannot undo ${record.tool}: changed since then: ${paths}`, {
      hint: "Nothing was changed. Undo what came later first, or restore these files by hand.",
      details: { ...first, conflicts: this.#conflicts },
    });
  }

  /** An entry that is already gone needs no undo. A directory that is in use by now stays. */
  async #undoCreate(change: JournalledChange, current: FileEntry | undefined): Promise<void> {
    if (current === undefined) return;
    if (change.kept !== undefined) return this.#undoRestored(change, current);
    if (change.type === "directory") {
      if (current.type === "directory" && (await this.#overlay.list(change.path)).length === 0)
        await this.#overlay.remove(change.path);
      return;
    }
    if (await this.#isAsLeft(change, current)) await this.#overlay.remove(change.path);
  }

  /** Removes a restored entry, if it is still as it was restored. */
  async #undoRestored(change: JournalledChange, current: FileEntry): Promise<void> {
    const currentHash = current.type === change.type ? await this.#hashOf(current) : undefined;
    if (currentHash !== undefined && currentHash === change.afterHash)
      await this.#overlay.remove(change.path, { recursive: true });
    else this.#conflicts.push({ path: change.path, expectedHash: change.afterHash, currentHash });
  }

  async #undoModify(change: JournalledChange, current: FileEntry | undefined): Promise<void> {
    if (change.type === "directory") return this.#undoMode(change, current);
    if (!(await this.#isAsLeft(change, current))) return;
    const mode = change.beforeMode === undefined ? {} : { mode: change.beforeMode };
    if (change.beforeBlob === undefined) return this.#putBack(change);
    await this.#overlay.writeBytes(change.path, await this.#former.read(change.beforeBlob), mode);
  }

  async #undoMode(change: JournalledChange, current: FileEntry | undefined): Promise<void> {
    const currentHash = current?.type === "directory" ? directoryWithMode(current.mode).hash : undefined;
    if (currentHash !== change.afterHash)
      this.#conflicts.push({ path: change.path, expectedHash: change.afterHash, currentHash });
    else if (change.beforeMode !== undefined)
      await this.#overlay.setDirectoryMode(change.path, change.beforeMode);
  }

  async #undoDelete(change: JournalledChange, current: FileEntry | undefined): Promise<void> {
    if (current !== undefined) {
      this.#conflicts.push({ path: change.path, currentHash: await this.#hashOf(current) });
      return;
    }
    if (change.trash !== undefined) return this.#putBack(change);
    const mode = change.beforeMode === undefined ? {} : { mode: change.beforeMode };
    if (change.type === "directory") return this.#overlay.createDirectory(change.path, mode);
    if (change.type === "symlink") return this.#overlay.createLink(change.path, change.target ?? "");
    if (change.beforeBlob === undefined) throw lost(change.path);
    await this.#overlay.createBytes(change.path, await this.#former.read(change.beforeBlob), mode);
  }

  async #undoMove(change: JournalledChange, current: FileEntry | undefined): Promise<void> {
    const from = change.from ?? "";
    const taken = await this.#entry(from);
    if (taken !== undefined) this.#conflicts.push({ path: from, currentHash: await this.#hashOf(taken) });
    if (!(await this.#isAsLeft(change, current)) || taken !== undefined) return;
    await this.#overlay.move(change.path, from);
    const { replaces, beforeBlob } = change;
    if (replaces === undefined) return;
    if (beforeBlob === undefined) return this.#putBack(change);
    const former = await this.#former.read(beforeBlob);
    await this.#overlay.createBytes(change.path, former, { mode: replaces.mode });
  }

  /** Moves an entry from the trash back to its path without reading it. */
  async #putBack({ path, trash: key = "" }: JournalledChange): Promise<void> {
    const { trash } = this.#former;
    const was = await trash?.snapshot(key, { maxHeldBytes: this.#maxHeldBytes });
    if (trash === undefined || was === undefined) throw lost(path);
    try {
      await this.#overlay.putBack(path, { key, was });
    } catch (cause) {
      throw inTrash(path, trash.pathOf(key), cause);
    }
  }

  /**
   * Notes a conflict unless the path is as the change left it. A directory only has to exist: it
   * is moved back with its current content, so that no later work is lost.
   */
  async #isAsLeft(change: JournalledChange, current: FileEntry | undefined): Promise<boolean> {
    if (current?.type === "directory" && change.type === "directory") return true;
    const currentHash = current?.type === change.type ? await this.#hashOf(current) : undefined;
    if (currentHash !== undefined && currentHash === change.afterHash) return true;
    this.#conflicts.push({ path: change.path, expectedHash: change.afterHash, currentHash });
    return false;
  }

  async #hashOf(entry: FileEntry): Promise<string | undefined> {
    if (entry.type === "file") return this.#overlay.hashOf(entry.path);
    if (entry.type === "symlink") return `link:${entry.target}`;
    return (await this.#store.snapshot(entry.path))?.hash;
  }

  /** Returns the entry at a path without following links. */
  async #entry(path: string): Promise<FileEntry | undefined> {
    try {
      const entries = await this.#overlay.list(parentPath(path));
      return entries.find(({ name }) => name === baseName(path));
    } catch (thrown) {
      if (ToolError.is(thrown) && ABSENT.has(thrown.code)) return undefined;
      throw thrown;
    }
  }
}

interface Conflict {
  readonly path: string;
  readonly expectedHash?: string | undefined;
  readonly currentHash?: string | undefined;
}

const MAX_UNDO_BYTES = 512 * 1024 * 1024;
const MAX_FORMER_BYTES = 20 * 1024 * 1024;
const ABSENT: ReadonlySet<string> = new Set(["PATH_NOT_FOUND", "NOT_A_DIRECTORY"]);
