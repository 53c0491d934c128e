import { ToolError } from "../error/tool-error.js";
import type { FileChange, Snapshot } from "../workspace/file-change.js";
import { joinPath } from "../workspace/path-text.js";
import type { CommitCall, WorkspaceStore } from "../workspace/workspace-store.js";
import { bytesFromBase64, bytesToBase64 } from "./base64.js";
import type { ChangeHistory } from "./change-history.js";
import { ChangeJournal } from "./change-journal.js";
import type { ChangeJournalStore } from "./change-journal-store.js";
import type { JournalLine, JournalledChange } from "./change-record.js";
import { journalledChange } from "./journalled-change.js";
import { WorkspaceJournal } from "./workspace-journal.js";

export type JournalledWorkspace = WorkspaceStore & { readonly history: ChangeHistory };

/**
 * Adds a journal and undo to a store that has neither. What a commit replaces goes to the journal before the commit, so
 * an undo needs nothing from the store but its current content. Commits of one runtime take turns; processes that share
 * a journal need a store that serializes them.
 */
export function journalledWorkspace(
  store: WorkspaceStore,
  lines: ChangeJournalStore<JournalLine>,
): JournalledWorkspace {
  const keeper = new CommitKeeper(store, new ChangeJournal(lines));
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "commit") return keeper.commit;
      if (name === "history") return keeper.history;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  }) as JournalledWorkspace;
}

class CommitKeeper {
  readonly history: ChangeHistory;
  readonly #store: WorkspaceStore;
  readonly #journal: ChangeJournal;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: WorkspaceStore, journal: ChangeJournal) {
    this.#store = store;
    this.#journal = journal;
    const changes = new WorkspaceJournal(store, journal, { read: (key) => this.#read(key) });
    this.history = {
      list: () => changes.list(),
      undo: async (callId) => {
        const { callId: undoes } = await changes.undoable(callId);
        const plan = await changes.planUndo(undoes);
        await this.commit(plan, { callId: `undo-${crypto.randomUUID()}`, tool: "undo" }, undoes);
        return plan;
      },
      previewUndo: (callIds) => changes.previewUndo(callIds),
      forget: () => this.#inTurn(() => this.#forget()),
    };
  }

  readonly commit = (changes: readonly FileChange[], call: CommitCall, undoes?: string): Promise<void> =>
    this.#inTurn(() => this.#commit(changes, call, undoes));

  async #commit(changes: readonly FileChange[], call: CommitCall, undoes?: string): Promise<void> {
    if (changes.length === 0 && undoes === undefined) return;
    const journal = this.#journal;
    await journal.refresh();
    const undone = undoes === undefined ? undefined : journal.find(undoes);
    const seq = journal.nextSeq;
    const kept = await this.#keep(seq, changes);
    const { callId, tool } = call;
    const origin = undoes === undefined ? {} : { undoes };
    const at = new Date().toISOString();
    await journal.append({ type: "begin", seq, callId, tool, at, ...origin, changes: kept.changes });
    try {
      await this.#store.commit(changes, call);
    } catch (thrown) {
      const reason = ToolError.is(thrown) ? thrown.code : "EXECUTION_ERROR";
      await journal.append({ type: "aborted", seq, reason }).catch(() => {});
      throw thrown;
    }
    await journal.append({ type: "done", seq, storedBytes: kept.storedBytes });
    if (undone !== undefined) await journal.append({ type: "undone", seq: undone.seq, by: seq });
  }

  /** Stores what the changes replace. Returns them as the journal lists them. */
  async #keep(
    seq: number,
    changes: readonly FileChange[],
  ): Promise<{ changes: readonly JournalledChange[]; storedBytes: number }> {
    const listed: JournalledChange[] = [];
    let storedBytes = 0;
    for (const change of changes) {
      const parts = change.kind === "delete" ? await this.#deletions(change) : [change];
      for (const part of parts) {
        const journalled = journalledChange(part, NEW_FILE_MODE);
        const bytes = await this.#replaced(part);
        const key = bytes && `${seq}.${listed.length}`;
        if (bytes !== undefined && key !== undefined)
          await this.#journal.append({ type: "content", seq, key, base64: bytesToBase64(bytes) });
        storedBytes += bytes?.length ?? 0;
        listed.push(key === undefined ? journalled : { ...journalled, beforeBlob: key });
      }
    }
    return { changes: listed, storedBytes };
  }

  /** A deleted directory is listed entry by entry, the deepest first, so that each can be restored. */
  async #deletions(change: FileChange & { kind: "delete" }): Promise<readonly FileChange[]> {
    const below: FileChange[] = [];
    for (const entry of [...(change.before.entries ?? [])].sort().reverse()) {
      const path = joinPath(change.path, entry);
      const before = await this.#store.snapshot(path);
      if (before !== undefined) below.push({ kind: "delete", path, before });
    }
    return [...below, change];
  }

  async #replaced(change: FileChange): Promise<Uint8Array | undefined> {
    const lost: Snapshot | undefined =
      change.kind === "move" ? change.replaces : change.kind === "create" ? undefined : change.before;
    if (lost?.type !== "file") return undefined;
    return lost.bytes ?? this.#store.readBytes(change.path);
  }

  async #read(key: string): Promise<Uint8Array> {
    const content = await this.#journal.content(key);
    if (content === undefined)
      throw new ToolError("IO_ERROR", "The journal no longer has the former content");
    return bytesFromBase64(content);
  }

  async #forget() {
    await this.#journal.refresh();
    const records = this.#journal.records();
    await this.#journal.replace([]);
    return { calls: records.length, bytes: records.reduce((sum, { storedBytes }) => sum + storedBytes, 0) };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

const NEW_FILE_MODE = 0o644;
