import { ToolError } from "../error/tool-error.js";
import type { FileChange } from "../workspace/file-change.js";
import { recordChange } from "../workspace/record-change.js";
import { touchedBy } from "../workspace/touched-by.js";
import type { WorkspaceStore } from "../workspace/workspace-store.js";
import type { UndoPlan, UndoRefusal } from "./change-history.js";
import type { ChangeJournal, JournalRecord } from "./change-journal.js";
import type { ChangeRecord } from "./change-record.js";
import { type FormerContent, planUndo, UndoDraft } from "./plan-undo.js";

/** What was changed in a workspace, by whom, and how to undo it. */
export class WorkspaceJournal {
  readonly #store: WorkspaceStore;
  readonly #journal: ChangeJournal;
  readonly #former: FormerContent;

  constructor(store: WorkspaceStore, journal: ChangeJournal, former: FormerContent) {
    this.#store = store;
    this.#journal = journal;
    this.#former = former;
  }

  /** All recorded calls, including those of other processes, newest last. */
  async list(): Promise<readonly ChangeRecord[]> {
    await this.#journal.refresh();
    return this.#journal.records().map(plainRecord);
  }

  /** Returns the record that an undo would reverse: of a given call, or the newest that is not an undo itself. */
  async undoable(callId?: string): Promise<ChangeRecord> {
    const journal = this.#journal;
    await journal.refresh();
    const record = callId === undefined ? journal.records().findLast(isPlainlyDone) : journal.find(callId);
    if (record === undefined) throw nothingToUndo(callId);
    if (record.state !== "done") throw notUndoable(record);
    return record;
  }

  /** Plans the changes that undo a call. Commit them with `undoes` set to its id. */
  async planUndo(callId?: string): Promise<readonly FileChange[]> {
    return planUndo(this.#store, this.#former, await this.undoable(callId));
  }

  /** Plans the undo of several calls without changing anything. Calls that cannot be undone are left out and named. */
  async previewUndo(callIds: readonly string[]): Promise<UndoPlan> {
    const refused: UndoRefusal[] = [];
    const records = await this.#undoable(callIds, refused);
    const planned: ChangeRecord[] = [];
    let draft = new UndoDraft(this.#store, this.#former, records);
    for (const record of records) {
      try {
        await draft.add(record);
        planned.push(record);
      } catch (thrown) {
        refused.push(refusal(record.callId, thrown));
        draft = new UndoDraft(this.#store, this.#former, records);
        for (const each of planned) await draft.add(each);
      }
    }
    return { callIds: planned.map(({ callId }) => callId), changes: netChanges(draft.changes), refused };
  }

  /** The newest call first: each one finds the files as it left them. */
  async #undoable(callIds: readonly string[], refused: UndoRefusal[]): Promise<readonly ChangeRecord[]> {
    const records: ChangeRecord[] = [];
    for (const callId of new Set(callIds)) {
      try {
        records.push(await this.undoable(callId));
      } catch (thrown) {
        refused.push(refusal(callId, thrown));
      }
    }
    return records.sort((a, b) => b.seq - a.seq);
  }
}

function refusal(callId: string, thrown: unknown): UndoRefusal {
  if (!ToolError.is(thrown)) throw thrown;
  const { message, hint } = thrown;
  return { callId, message, ...(hint !== undefined && { hint }) };
}

/** Strips the fields that only the journal uses. */
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

/** Merges changes of the same path if no other change touches that path in between. For display. */
function netChanges(changes: readonly FileChange[]): readonly FileChange[] {
  const net: FileChange[] = [];
  for (const next of changes) {
    const at = net.findLastIndex((each) => touchedBy(each).includes(next.path));
    const last = net[at];
    if (last?.path === next.path) net.splice(at, 1, ...recordChange(last, next));
    else net.push(next);
  }
  return net;
}
