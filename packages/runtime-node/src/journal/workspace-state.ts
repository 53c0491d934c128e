import { existsSync } from "node:fs";
import { join } from "node:path";
import { asToolError } from "../workspace/system-error.js";
import { Trash } from "../workspace/trash.js";
import { BlobStore } from "./blob-store.js";
import { ChangeJournal } from "./change-journal.js";
import { makeFolder } from "./make-folder.js";
import { stateFullError } from "./state-error.js";
import { WorkspaceLock } from "./workspace-lock.js";

/** What is kept for a workspace outside of it. On the disk it comes into being with the first change. */
export class WorkspaceState {
  readonly journalPath: string;
  readonly journal: ChangeJournal;
  readonly blobs: BlobStore;
  readonly trash: Trash;
  readonly #path: string;
  readonly #lock: WorkspaceLock;

  constructor(path: string) {
    this.#path = path;
    this.journalPath = join(path, "journal.jsonl");
    this.journal = new ChangeJournal(this.journalPath);
    this.blobs = new BlobStore(join(path, "blobs"));
    this.trash = new Trash(join(path, "trash"));
    this.#lock = new WorkspaceLock(join(path, "lock"));
  }

  get exists(): boolean {
    return existsSync(this.#path);
  }

  /** Runs alone among all who write to this workspace, with the journal as it is now. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    try {
      for (const folder of ["blobs", "trash"]) makeFolder(join(this.#path, folder));
      return await this.#lock.hold(() => {
        this.journal.refresh();
        return work();
      });
    } catch (thrown) {
      // What goes wrong with a file of the workspace says so itself; the rest is ours.
      throw asToolError(stateFullError(thrown, CANNOT_WRITE), "the journal of this workspace");
    }
  }

  /** Takes away what dead processes left here; needs no lock. */
  sweep(): void {
    this.#lock.sweep();
  }
}

const CANNOT_WRITE = "What is kept beside this workspace, so that changes can be undone, cannot be written";
