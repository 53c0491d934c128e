import type { FileChange, FileType } from "@haft/core";

/** One committed call as the journal knows it. */
export interface ChangeRecord {
  readonly seq: number;
  readonly callId: string;
  readonly tool: string;
  /** When it began, as an ISO time. */
  readonly at: string;
  /** "unfinished": begun, and neither done nor aborted; its process may be at it or dead. */
  readonly state: "unfinished" | "done" | "aborted" | "undone";
  /** The call that this one took back. */
  readonly undoes?: string;
  readonly changes: readonly JournalledChange[];
}

/** A change without its content: what is needed to tell it, to finish it, or to take it back. */
export interface JournalledChange {
  readonly kind: FileChange["kind"];
  readonly path: string;
  readonly from?: string;
  /** What was made, changed, deleted or moved. */
  readonly type: FileType;
  readonly beforeHash?: string;
  readonly afterHash?: string;
  readonly beforeMode?: number;
  readonly mode?: number;
  /** The target of a link that was made. */
  readonly target?: string;
  /** The former content: compressed in the blob store, or whole in the trash. */
  readonly beforeBlob?: string;
  readonly trash?: string;
  /** The new content, where it was not written but came back out of the trash. */
  readonly kept?: string;
  /** What a move overwrote; its content is the former content. */
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
  /** One of several changes is on the disk; the next one may be. */
  | { readonly type: "applied"; readonly seq: number; readonly index: number }
  | {
      readonly type: "done";
      readonly seq: number;
      readonly storedBytes: number;
      /** Hashes that are only known afterwards, by index of the change. */
      readonly hashes?: Readonly<Record<number, string>>;
    }
  | { readonly type: "aborted"; readonly seq: number; readonly reason: string }
  | { readonly type: "undone"; readonly seq: number; readonly by: number };

export interface BeginLine {
  readonly type: "begin";
  readonly seq: number;
  readonly callId: string;
  readonly tool: string;
  readonly at: string;
  readonly pid: number;
  readonly startTime: string;
  readonly undoes?: string;
  readonly changes: readonly JournalledChange[];
}
