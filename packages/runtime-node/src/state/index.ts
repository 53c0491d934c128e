// Any export added here becomes public API: named exports only. This entry is for packages that store their own state
// beside a workspace, without loading the runtime.
export { firstToKeep, type KeepLimits, type KeptEntry } from "../journal/keep-newest.js";
export { isLocked, type LockOwner, takeLock } from "../journal/lock-file.js";
export { makeFolder } from "../journal/make-folder.js";
export { assertPrivateState } from "../journal/private-state.js";
export { namesInState, openStateFile, readStateFile } from "../journal/state-file.js";
