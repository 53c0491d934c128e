// The entry "@haft/core/journal": for workspace stores that keep a journal of their own.
export type { ChangeHistory, ForgottenChanges, UndoPlan, UndoRefusal } from "./change-history.js";
export { ChangeJournal, type JournalRecord } from "./change-journal.js";
export type {
  BeginLine,
  ChangeRecord,
  JournalLine,
  JournalledChange,
  ReplacedState,
} from "./change-record.js";
export { journalledChange } from "./journalled-change.js";
export { type JournalledWorkspace, journalledWorkspace } from "./journalled-workspace.js";
export type { FormerContent } from "./plan-undo.js";
export { WorkspaceJournal } from "./workspace-journal.js";
