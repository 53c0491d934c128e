import { readlinkSync } from "node:fs";
import {
  baseName,
  type FileChange,
  type FileEntry,
  joinPath,
  messageOf,
  OverlayWorkspace,
  parentPath,
  ToolError,
  type WorkspaceStore,
} from "@haft/core";
import type { EntryName } from "../workspace/copy-entry.js";
import { modeOf } from "../workspace/entry-of.js";
import { OpenFile } from "../workspace/open-file.js";
import type { ChangeRecord, JournalledChange } from "./change-record.js";
import type { WorkspaceState } from "./workspace-state.js";

/**
 * The changes that take a record back, rehearsed like those of any call: only paths that the record
 * names are touched, and a path that is no longer as the record left it is a STALE_FILE that names
 * all such paths.
 */
export async function planUndo(
  store: WorkspaceStore,
  state: WorkspaceState,
  record: ChangeRecord,
): Promise<readonly FileChange[]> {
  const plan = new UndoPlan(store, state);
  for (const change of [...record.changes].reverse()) await plan.takeBack(change);
  plan.assertNoConflict(record);
  return plan.overlay.changes;
}

class UndoPlan {
  readonly overlay: OverlayWorkspace;
  readonly #store: WorkspaceStore;
  readonly #state: WorkspaceState;
  readonly #conflicts: Conflict[] = [];

  constructor(store: WorkspaceStore, state: WorkspaceState) {
    this.overlay = new OverlayWorkspace(store, { maxHeldBytes: MAX_UNDO_BYTES });
    this.#store = store;
    this.#state = state;
  }

  async takeBack(change: JournalledChange): Promise<void> {
    const current = await this.#entry(change.path);
    if (change.kind === "create") return this.#undoCreate(change, current);
    if (change.kind === "modify") return this.#undoModify(change, current);
    if (change.kind === "delete") return this.#undoDelete(change, current);
    return this.#undoMove(change, current);
  }

  assertNoConflict(record: ChangeRecord): void {
    const [first] = this.#conflicts;
    if (first === undefined) return;
    const paths = this.#conflicts.map(({ path }) => path).join(", ");
    throw new ToolError("STALE_FILE", `Cannot undo ${record.tool}: changed since then: ${paths}`, {
      hint: "Nothing was changed. Undo what came later first, or restore these files by hand.",
      details: { ...first, conflicts: this.#conflicts },
    });
  }

  /** Already gone is as good as taken back; a directory that others use by now stays. */
  async #undoCreate(change: JournalledChange, current: FileEntry | undefined): Promise<void> {
    if (current === undefined) return;
    if (change.type === "directory") {
      if (current.type === "directory" && (await this.overlay.list(change.path)).length === 0)
        await this.overlay.remove(change.path);
      return;
    }
    if (await this.#isAsLeft(change, current)) await this.overlay.remove(change.path);
  }

  async #undoModify(change: JournalledChange, current: FileEntry | undefined): Promise<void> {
    if (!(await this.#isAsLeft(change, current))) return;
    const mode = change.beforeMode === undefined ? {} : { mode: change.beforeMode };
    await this.overlay.writeBytes(change.path, await this.#former(change), mode);
  }

  async #undoDelete(change: JournalledChange, current: FileEntry | undefined): Promise<void> {
    if (current !== undefined) {
      this.#conflicts.push({ path: change.path, currentHash: await this.#hashOf(current) });
      return;
    }
    const { trash = "" } = change;
    try {
      await this.#state.trash.look((directory) => this.#restore(change.path, { directory, name: trash }));
    } catch (cause) {
      throw inTrash(change.path, this.#state.trash.pathOf(trash), cause);
    }
  }

  async #undoMove(change: JournalledChange, current: FileEntry | undefined): Promise<void> {
    const from = change.from ?? "";
    const taken = await this.#entry(from);
    if (taken !== undefined) this.#conflicts.push({ path: from, currentHash: await this.#hashOf(taken) });
    if (!(await this.#isAsLeft(change, current)) || taken !== undefined) return;
    await this.overlay.move(change.path, from);
    const { replaces } = change;
    if (replaces?.type === "symlink") await this.overlay.createLink(change.path, replaces.target ?? "");
    else if (replaces !== undefined)
      await this.overlay.createBytes(change.path, await this.#former(change), { mode: replaces.mode });
  }

  /**
   * Notes a conflict unless a path is what the change left there. A directory only has to be there: it
   * goes back with whatever is in it by now, so nothing of anybody's is lost.
   */
  async #isAsLeft(change: JournalledChange, current: FileEntry | undefined): Promise<boolean> {
    if (current?.type === "directory" && change.type === "directory") return true;
    const currentHash = current?.type === change.type ? await this.#hashOf(current) : undefined;
    if (currentHash !== undefined && currentHash === change.afterHash) return true;
    this.#conflicts.push({ path: change.path, expectedHash: change.afterHash, currentHash });
    return false;
  }

  async #hashOf(entry: FileEntry): Promise<string | undefined> {
    if (entry.type === "file") return this.overlay.hashOf(entry.path);
    if (entry.type === "symlink") return `link:${entry.target}`;
    return (await this.#store.snapshot(entry.path))?.hash;
  }

  async #former({ beforeBlob, trash = "" }: JournalledChange): Promise<Uint8Array> {
    if (beforeBlob !== undefined) return this.#state.blobs.get(beforeBlob);
    return this.#state.trash.look((directory) => readTrashed({ directory, name: trash }));
  }

  async #restore(path: string, trashed: EntryName): Promise<void> {
    const stats = trashed.directory.lstat(trashed.name);
    if (stats === undefined) throw lost(path);
    if (stats.isSymbolicLink()) {
      await this.overlay.createLink(path, readlinkSync(trashed.directory.at(trashed.name)));
    } else if (stats.isDirectory()) {
      await this.#restoreDirectory(path, trashed);
    } else if (stats.isFile()) {
      await this.overlay.createBytes(path, await readTrashed(trashed), { mode: modeOf(stats) });
    } else {
      throw new ToolError("NOT_A_FILE", `${path} was a pipe, socket or device`);
    }
  }

  async #restoreDirectory(path: string, trashed: EntryName): Promise<void> {
    await this.overlay.createDirectory(path);
    const directory = trashed.directory.openDirectory(trashed.name);
    try {
      for (const name of directory.names().sort())
        await this.#restore(joinPath(path, name), { directory, name });
    } finally {
      directory.close();
    }
  }

  /** What stands at a path, links not followed. */
  async #entry(path: string): Promise<FileEntry | undefined> {
    try {
      const entries = await this.overlay.list(parentPath(path));
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
const ABSENT: ReadonlySet<string> = new Set(["PATH_NOT_FOUND", "NOT_A_DIRECTORY"]);

/** What cannot be put back within the rules of a workspace is not lost: the person is told where it is. */
function inTrash(path: string, place: string, cause: unknown): ToolError {
  const code = ToolError.is(cause) ? cause.code : "EXECUTION_ERROR";
  return new ToolError(code, `Cannot put ${path} back: ${messageOf(cause)}`, {
    hint: `Nothing was changed. All of it is in ${place}: move it back by hand.`,
    cause,
  });
}

async function readTrashed({ directory, name }: EntryName): Promise<Uint8Array> {
  const file = new OpenFile(name, directory.at(name));
  try {
    return await file.read();
  } finally {
    file.close();
  }
}

function lost(path: string): ToolError {
  return new ToolError("IO_ERROR", `What was deleted at ${path} is no longer in the trash`);
}
