import type { CommitCall, FileChange, WorkspaceStore } from "@haft/core";
import { type CommitParts, commitChanges } from "./commit-changes.js";
import { NodeReader, type ReaderLimits } from "./node-reader.js";
import type { Gatekeepers } from "./open-inside.js";

/** A workspace on a real folder. Reads are direct; the only way to change it is a list of changes. */
export class NodeWorkspace extends NodeReader implements WorkspaceStore {
  readonly #parts: CommitParts;

  constructor(keepers: Gatekeepers, limits: ReaderLimits, parts: CommitParts) {
    super(keepers, limits);
    this.#parts = parts;
  }

  async commit(changes: readonly FileChange[], _call: CommitCall): Promise<void> {
    await commitChanges(this.#parts, changes);
  }
}
