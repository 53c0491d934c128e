import { randomUUID } from "node:crypto";
import { type FileChange, ToolError, type WorkspaceStore } from "@haft/core";
import { type ForgottenChanges, forgetChanges } from "../journal/forget-changes.js";
import { WorkspaceJournal } from "../journal/workspace-journal.js";
import { commitChanges, type NodeCommitCall } from "./commit-changes.js";
import type { CommitParts } from "./commit-parts.js";
import type { ReaderLimits } from "./node-locator.js";
import { NodeReader } from "./node-reader.js";
import type { Gatekeepers } from "./open-inside.js";

/** A workspace on a real folder. Reads are direct; the only way to change it is a list of changes. */
export class NodeWorkspace extends NodeReader implements WorkspaceStore {
  readonly journal: WorkspaceJournal;
  readonly #parts: CommitParts;
  readonly #commits = new Set<Promise<void>>();
  #isClosed = false;

  constructor(keepers: Gatekeepers, limits: ReaderLimits, parts: CommitParts) {
    super(keepers, limits);
    this.#parts = parts;
    this.journal = new WorkspaceJournal(this, parts.state);
  }

  async commit(changes: readonly FileChange[], call: NodeCommitCall): Promise<void> {
    if (this.#isClosed) throw closed();
    const commit = commitChanges(this.#parts, changes, call);
    this.#commits.add(commit);
    try {
      await commit;
    } finally {
      this.#commits.delete(commit);
      this.keepers.jail.contents.letGo();
    }
  }

  /** Takes back a call, or the newest one; the changes that did it. */
  async undo(callId?: string): Promise<readonly FileChange[]> {
    const undoes = this.journal.undoable(callId).callId;
    const changes = await this.journal.planUndo(undoes);
    await this.commit(changes, { callId: `undo-${randomUUID()}`, tool: "undo", undoes });
    return changes;
  }

  /** Forgets what was changed: none of it can be taken back any more. */
  forget(): Promise<ForgottenChanges> {
    return forgetChanges(this.#parts);
  }

  /**
   * Takes no more changes, and lets go of the folder when those under way are done: a commit whose
   * folder is taken away can neither go on nor be taken back.
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
