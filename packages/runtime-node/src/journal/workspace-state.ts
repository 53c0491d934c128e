import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JournalLine } from "@haft/core/journal";
import { ChangeJournal } from "@haft/core/journal";
import type { ChangeJournalStore } from "@haft/core/stores";
import { asToolError } from "../workspace/system-error.js";
import { Trash } from "../workspace/trash.js";
import { BlobStore } from "./blob-store.js";
import { FileChangeJournalStore } from "./file-change-journal-store.js";
import { makeFolder } from "./make-folder.js";
import { stateFullError } from "./state-error.js";
import { WorkspaceLock } from "./workspace-lock.js";

/** The state kept outside a workspace. It is created on disk with the first change. */
export class WorkspaceState {
  readonly journal: ChangeJournal;
  readonly blobs: BlobStore;
  readonly trash: Trash;
  readonly #path: string;
  readonly #isElsewhere: boolean;
  readonly #lock: WorkspaceLock;

  constructor(path: string, changes?: ChangeJournalStore<JournalLine>) {
    this.#path = path;
    this.#isElsewhere = changes !== undefined;
    this.journal = new ChangeJournal(changes ?? new FileChangeJournalStore(join(path, "journal.jsonl")));
    this.blobs = new BlobStore(join(path, "blobs"));
    this.trash = new Trash(join(path, "trash"));
    this.#lock = new WorkspaceLock(join(path, "lock"));
  }

  get exists(): boolean {
    return this.#isElsewhere || existsSync(this.#path);
  }

  /** Runs work exclusively among all writers to this workspace, with the current journal. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    try {
      for (const folder of ["blobs", "trash"]) makeFolder(join(this.#path, folder));
      return await this.#lock.hold(async () => {
        await this.journal.refresh();
        return work();
      });
    } catch (thrown) {
      // Errors about files of the workspace describe themselves; the rest concern our state.
      throw asToolError(stateFullError(thrown, CANNOT_WRITE), "the journal of this workspace");
    }
  }

  /** Removes files of dead processes. Needs no lock. */
  sweep(): void {
    if (existsSync(this.#path)) this.#lock.sweep();
  }
}

const CANNOT_WRITE = "The undo records of this workspace cannot be written";
