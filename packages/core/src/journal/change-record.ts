import type { FileChange } from "../workspace/file-change.js";
import type { FileType } from "../workspace/workspace.js";

/** One committed call, as recorded in the journal. */
export interface ChangeRecord {
  readonly seq: number;
  readonly callId: string;
  readonly tool: string;
  /** When it began, as an ISO time. */
  readonly at: string;
  /** "unfinished": begun, but neither done nor aborted. Its process may still be running, or dead. */
  readonly state: "unfinished" | "done" | "aborted" | "undone";
  /** The call that this one undid. */
  readonly undoes?: string;
  readonly changes: readonly JournalledChange[];
}

/** A change without its content: enough to describe, finish or undo it. */
export interface JournalledChange {
  readonly kind: FileChange["kind"];
  readonly path: string;
  readonly from?: string;
  /** The type of the entry that was created, changed, deleted or moved. */
  readonly type: FileType;
  readonly beforeHash?: string;
  readonly afterHash?: string;
  readonly beforeMode?: number;
  readonly mode?: number;
  /** The target of a link that was created or deleted. */
  readonly target?: string;
  /** The previous content: compressed in the blob store, or as a file in the trash. */
  readonly beforeBlob?: string;
  readonly trash?: string;
  /** The new content, where it was restored from the trash instead of written. */
  readonly kept?: string;
  /** The entry that a move overwrote. Its content is the previous content. */
  readonly replaces?: ReplacedState;
}

export interface ReplacedState {
  readonly type: FileType;
  readonly hash: string;
  readonly mode: number;
  readonly target?: string;
}

/** The lines of the journal, in the order in which a call writes them. */
export type JournalLine =
  | BeginLine
  /** One of several changes is on disk. The next one may be, too. */
  | { readonly type: "applied"; readonly seq: number; readonly index: number }
  | {
      readonly type: "done";
      readonly seq: number;
      readonly storedBytes: number;
      /** Hashes that are known only afterwards, by index of the change. */
      readonly hashes?: Readonly<Record<number, string>>;
    }
  /** The replaced content, where the journal stores it. */
  | { readonly type: "content"; readonly seq: number; readonly key: string; readonly base64: string }
  | { readonly type: "aborted"; readonly seq: number; readonly reason: string }
  | { readonly type: "undone"; readonly seq: number; readonly by: number };

export interface BeginLine {
  readonly type: "begin";
  readonly seq: number;
  readonly callId: string;
  readonly tool: string;
  readonly at: string;
  /** The committing process, for stores that recover from a crash. */
  readonly pid?: number;
  readonly startTime?: string;
  readonly undoes?: string;
  readonly changes: readonly JournalledChange[];
}
