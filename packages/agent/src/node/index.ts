// Any export added here becomes public API: named exports only.
export { DEFAULT_RUN_LIMITS, pruneRuns } from "./prune-runs.js";
export { listRuns, openRunJournal, type RunJournalOptions, type StoredRun } from "./run-journal-file.js";
