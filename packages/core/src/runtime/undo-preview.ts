import type { UndoPlan, UndoRefusal } from "../journal/change-history.js";
import type { Redact } from "../result/redact.js";
import { type ChangeSummary, describeChange } from "../workspace/describe-change.js";

/** The effect of undoing calls. */
export interface UndoPreview {
  /** The calls that would be undone, newest first. */
  readonly callIds: readonly string[];
  /** The net effect on each file, with its diff. */
  readonly changes: readonly ChangeSummary[];
  /** Calls that cannot be undone, such as those whose files have changed since. */
  readonly refused: readonly UndoRefusal[];
}

export function undoPreview({ callIds, changes, refused }: UndoPlan, redact: Redact): UndoPreview {
  return { callIds, changes: changes.map((change) => redact(describeChange(change))), refused };
}
