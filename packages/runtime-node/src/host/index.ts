// Any export added here becomes public API: named exports only. This entry connects packages to other programs
// without loading the runtime.

export { nodeFetch } from "../network/node-fetch.js";
export { type BlockLimits, type BlockWatch, watchBlockedThread } from "../packs/watch-blocked-thread.js";
export { killTagged, TAG_NAME } from "../process/process-tag.js";
export { startProcess } from "../process/start-process.js";
