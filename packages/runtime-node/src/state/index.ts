// Any export added here becomes public API: named exports only. What is kept beside a workspace, for packages that keep
// something there as well; apart from the runtime, so that nothing of it is loaded.
export { firstToKeep, type KeepLimits, type KeptEntry } from "../journal/keep-newest.js";
export { LockAttempt, type LockOwner, letGo, readLockOwner } from "../journal/lock-file.js";
export { makeFolder } from "../journal/make-folder.js";
