// The entry "@haft/runtime-node/shared-store". Any export added here becomes public API: named exports only.
export { type FileSharedStoreOptions, fileSharedStore } from "./file-shared-store.js";
