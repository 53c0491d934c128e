// The entry "@haft/core/memory": stores without a disk. Any export added here becomes public API.
export { memoryApprovalStore } from "./memory-approval-store.js";
export { memoryAuditStore } from "./memory-audit-store.js";
export { memoryChangeJournalStore } from "./memory-change-journal-store.js";
export { memoryGrantStore } from "./memory-grant-store.js";
export { memoryRunJournalStore } from "./memory-run-journal-store.js";
export {
  type InitialFile,
  type InitialFiles,
  MemoryWorkspace,
  type MemoryWorkspaceOptions,
} from "./memory-workspace.js";
