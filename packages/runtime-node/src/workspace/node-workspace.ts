import { randomUUID } from "node:crypto";
import { ToolError, type WorkspaceStore } from "@haft/core";
import { type ChangeHistory, type ForgottenChanges, WorkspaceJournal } from "@haft/core/journal";
import type { FileChange } from "@haft/core/workspace";
import { pruneJournal } from "../journal/prune-journal.js";
import { recoverCommits } from "../journal/recover-commits.js";
import { commitChanges, type NodeCommitCall } from "./commit-changes.js";
import type { CommitParts } from "./commit-parts.js";
import type { ReaderLimits } from "./node-locator.js";
import { NodeReader } from "./node-reader.js";
import type { Gatekeepers } from "./open-inside.js";

/** A workspace on a real folder. Reads are direct; a list of changes is the only way to modify it. */
export class NodeWorkspace extends NodeReader implements WorkspaceStore {
  readonly journal: WorkspaceJournal;
  readonly history: ChangeHistory;
  readonly #parts: CommitParts;
  readonly #commits = new Set<Promise<void>>();
  #isClosed = false;

  constructor(keepers: Gatekeepers, limits: ReaderLimits, parts: CommitParts) {
    super(keepers, limits);
    this.#parts = parts;
    this.journal = new WorkspaceJournal(this, parts.state.journal, {
      read: (key) => parts.state.blobs.get(key),
      trash: parts.state.trash,
    });
    this.history = {
      list: () => this.journal.list(),
      undo: (callId) => this.undo(callId),
      previewUndo: (callIds) => this.journal.previewUndo(callIds),
      forget: () => forgetChanges(parts),
    };
  }

  async commit(changes: readonly FileChange[], call: NodeCommitCall): Promise<void> {
    if (this.#isClosed) throw closed();
    const commit = commitChanges(this.#parts, changes, call);
    this.#commits.add(commit);
    try {
      await commit;
    } finally {
      this.#commits.delete(commit);
      this.keepers.jail.contents.release();
    }
  }

  /** Undoes a call (by default the newest) and returns the changes that did so. */
  async undo(callId?: string): Promise<readonly FileChange[]> {
    const { callId: undoes } = await this.journal.undoable(callId);
    const changes = await this.journal.planUndo(undoes);
    await this.commit(changes, { callId: `undo-${randomUUID()}`, tool: "undo", undoes });
    return changes;
  }

  /**
   * Rejects further changes, and closes the folder once running commits are done: a commit whose
   * folder is closed can neither continue nor be reverted.
   */
  override async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#commits.size > 0) await Promise.allSettled(this.#commits);
    super.close();
  }
}

function closed(): ToolError {
  return new ToolError("CANCELLED", "The workspace was closed before the changes were made", {
    hint: "Nothing was changed.",
  });
}

/** Deletes the record of every call and all data for undoing it: former content and deleted entries. */
async function forgetChanges(parts: CommitParts): Promise<ForgottenChanges> {
  const { state } = parts;
  if (!state.exists) return { calls: 0, bytes: 0 };
  return state.alone(async () => {
    await recoverCommits(parts);
    const records = state.journal.records();
    await pruneJournal(state, NOTHING_STAYS);
    return { calls: records.length, bytes: records.reduce((sum, { storedBytes }) => sum + storedBytes, 0) };
  });
}

const NOTHING_STAYS = { maxBytes: 0, maxAgeMs: Number.NEGATIVE_INFINITY };
