// Any export added here becomes public API: named exports only.
export { accountName } from "./account-name.js";
export { FileRunJournalStore } from "./file-run-journal-store.js";
export { DEFAULT_RUN_LIMITS } from "./prune-runs.js";
export type { StoredRun } from "./run-journal-file.js";
