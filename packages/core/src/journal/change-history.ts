import type { FileChange } from "../workspace/file-change.js";
import type { ChangeRecord } from "./change-record.js";

/** The committed calls of a workspace, and how to undo them. */
export interface ChangeHistory {
  /** All recorded calls, newest last. */
  list(): Promise<readonly ChangeRecord[]>;
  /** Undoes a call, or the newest one. Returns the changes that did it. Rejects with ToolError. */
  undo(callId?: string): Promise<readonly FileChange[]>;
  /** Plans the undo of several calls. Changes nothing. */
  previewUndo(callIds: readonly string[]): Promise<UndoPlan>;
  /** Deletes the record and everything kept to undo it. */
  forget(): Promise<ForgottenChanges>;
}

/** What an undo would do, in order. */
export interface UndoPlan {
  /** The calls that it would undo, newest first. */
  readonly callIds: readonly string[];
  /** The net effect of undoing them all. */
  readonly changes: readonly FileChange[];
  /** Calls that would stay as they are. */
  readonly refused: readonly UndoRefusal[];
}

export interface UndoRefusal {
  readonly callId: string;
  readonly message: string;
  readonly hint?: string;
}

export interface ForgottenChanges {
  readonly calls: number;
  /** The approximate size of the content that was kept. */
  readonly bytes: number;
}
