import { type FileChange, ToolError, type WorkspaceStore } from "@haft/core";
import type { JournalRecord } from "./change-journal.js";
import type { ChangeRecord } from "./change-record.js";
import { planUndo } from "./plan-undo.js";
import type { WorkspaceState } from "./workspace-state.js";

/** What was changed in a workspace, by whom, and how to take it back. */
export class WorkspaceJournal {
  readonly #store: WorkspaceStore;
  readonly #state: WorkspaceState;

  constructor(store: WorkspaceStore, state: WorkspaceState) {
    this.#store = store;
    this.#state = state;
  }

  /** All recorded calls, newest last, those of other processes included. */
  list(): readonly ChangeRecord[] {
    this.#state.journal.refresh();
    return this.#state.journal.records().map(plainRecord);
  }

  /** The record that an undo would take back: of a given call, or the newest that is not an undo itself. */
  undoable(callId?: string): ChangeRecord {
    this.#state.journal.refresh();
    const { journal } = this.#state;
    const record = callId === undefined ? journal.records().findLast(isPlainlyDone) : journal.find(callId);
    if (record === undefined) throw nothingToUndo(callId);
    if (record.state !== "done") throw notUndoable(record);
    return record;
  }

  /** The changes that take a call back; see `planUndo`. To be committed with `undoes` set to its id. */
  async planUndo(callId?: string): Promise<readonly FileChange[]> {
    return planUndo(this.#store, this.#state, this.undoable(callId));
  }
}

/** Without what only the journal itself needs. */
function plainRecord({
  owner: _,
  storedBytes: __,
  appliedCount: ___,
  ...record
}: JournalRecord): ChangeRecord {
  return record;
}

function isPlainlyDone(record: JournalRecord): boolean {
  return record.state === "done" && record.undoes === undefined;
}

function nothingToUndo(callId: string | undefined): ToolError {
  const message =
    callId === undefined
      ? "There is nothing to undo in this workspace"
      : `The journal knows no call ${callId.slice(0, 80)}`;
  return new ToolError("INVALID_ARGUMENTS", message);
}

function notUndoable({ callId, state }: JournalRecord): ToolError {
  const why = state === "undone" ? "was undone already" : "did not change anything";
  return new ToolError("INVALID_ARGUMENTS", `Call ${callId.slice(0, 80)} ${why}`);
}
