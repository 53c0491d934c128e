// Any export added here becomes public API: named exports only.
export { listRuns, openRunJournal, type RunJournalOptions, type StoredRun } from "./run-journal-file.js";
