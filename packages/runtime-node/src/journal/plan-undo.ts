import {
  baseName,
  type FileChange,
  type FileEntry,
  messageOf,
  OverlayWorkspace,
  parentPath,
  ToolError,
  type WorkspaceStore,
} from "@haft/core";
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
  const plan = new UndoPlan(store, state, record);
  for (const change of [...record.changes].reverse()) await plan.takeBack(change);
  plan.assertNoConflict(record);
  return plan.overlay.changes;
}

class UndoPlan {
  readonly overlay: OverlayWorkspace;
  readonly #store: WorkspaceStore;
  readonly #state: WorkspaceState;
  readonly #maxHeldBytes: number;
  readonly #conflicts: Conflict[] = [];

  constructor(store: WorkspaceStore, state: WorkspaceState, record: ChangeRecord) {
    this.overlay = new OverlayWorkspace(store, { maxHeldBytes: MAX_UNDO_BYTES });
    this.#store = store;
    this.#state = state;
    // What comes back and is then changed further has its content put away like any other.
    this.#maxHeldBytes = record.changes.some(({ kind }) => kind === "modify") ? MAX_FORMER_BYTES : 0;
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
    if (change.kept !== undefined) return this.#undoRestored(change, current);
    if (change.type === "directory") {
      if (current.type === "directory" && (await this.overlay.list(change.path)).length === 0)
        await this.overlay.remove(change.path);
      return;
    }
    if (await this.#isAsLeft(change, current)) await this.overlay.remove(change.path);
  }

  /** What came back goes again, if it is as it came back. */
  async #undoRestored(change: JournalledChange, current: FileEntry): Promise<void> {
    const currentHash = current.type === change.type ? await this.#hashOf(current) : undefined;
    if (currentHash !== undefined && currentHash === change.afterHash)
      await this.overlay.remove(change.path, { recursive: true });
    else this.#conflicts.push({ path: change.path, expectedHash: change.afterHash, currentHash });
  }

  async #undoModify(change: JournalledChange, current: FileEntry | undefined): Promise<void> {
    if (!(await this.#isAsLeft(change, current))) return;
    const mode = change.beforeMode === undefined ? {} : { mode: change.beforeMode };
    if (change.beforeBlob === undefined) return this.#putBack(change);
    await this.overlay.writeBytes(change.path, await this.#state.blobs.get(change.beforeBlob), mode);
  }

  async #undoDelete(change: JournalledChange, current: FileEntry | undefined): Promise<void> {
    if (current !== undefined) {
      this.#conflicts.push({ path: change.path, currentHash: await this.#hashOf(current) });
      return;
    }
    await this.#putBack(change);
  }

  async #undoMove(change: JournalledChange, current: FileEntry | undefined): Promise<void> {
    const from = change.from ?? "";
    const taken = await this.#entry(from);
    if (taken !== undefined) this.#conflicts.push({ path: from, currentHash: await this.#hashOf(taken) });
    if (!(await this.#isAsLeft(change, current)) || taken !== undefined) return;
    await this.overlay.move(change.path, from);
    const { replaces, beforeBlob } = change;
    if (replaces === undefined) return;
    if (beforeBlob === undefined) return this.#putBack(change);
    const former = await this.#state.blobs.get(beforeBlob);
    await this.overlay.createBytes(change.path, former, { mode: replaces.mode });
  }

  /** Out of the trash to where it was, whole and unread. */
  async #putBack({ path, trash: key = "" }: JournalledChange): Promise<void> {
    const { trash } = this.#state;
    const was = await trash.snapshot(key, { maxHeldBytes: this.#maxHeldBytes });
    if (was === undefined) throw lost(path);
    try {
      await this.overlay.putBack(path, { key, was });
    } catch (cause) {
      throw inTrash(path, trash.pathOf(key), cause);
    }
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
const MAX_FORMER_BYTES = 20 * 1024 * 1024;
const ABSENT: ReadonlySet<string> = new Set(["PATH_NOT_FOUND", "NOT_A_DIRECTORY"]);

/** What cannot be put back within the rules of a workspace is not lost: the person is told where it is. */
function inTrash(path: string, place: string, cause: unknown): ToolError {
  const code = ToolError.is(cause) ? cause.code : "EXECUTION_ERROR";
  return new ToolError(code, `Cannot put ${path} back: ${messageOf(cause)}`, {
    hint: `Nothing was changed. All of it is in ${place}: move it back by hand.`,
    cause,
  });
}

function lost(path: string): ToolError {
  return new ToolError("IO_ERROR", `What was deleted at ${path} is no longer in the trash`);
}
