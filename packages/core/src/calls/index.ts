// The entry point "@haft/core/calls": calls that several processes share. Any export added here becomes public API.
export { callDigest, callIdConflict, overloaded } from "./call-digest.js";
export {
  type CallKey,
  type CallOutcome,
  type CallRecord,
  type CallSettlement,
  type CallState,
  type NewCall,
  type QueuedOptions,
  resultOf,
  type WorkspaceKey,
} from "./call-record.js";
export {
  type CallHint,
  type CallStore,
  type ClaimRef,
  type ClaimRequest,
  DEFAULT_LIST_LIMIT,
  DEFAULT_TENANT_LIMITS,
  type Lease,
  type LeaseRequest,
  MAX_REPEATS,
  type StoreOverview,
  type TenantLimits,
  type TenantOverview,
  type UnsettledCounts,
  type WorkerDuties,
  type WorkspaceFacts,
  type WorkspaceOverview,
  type WorkspaceRecord,
} from "./call-store.js";
export { CallTable, type TableSnapshot } from "./call-table.js";
export { assertRight, decideApproval, pendingApprovals } from "./decide-approval.js";
export { failedResult } from "./failed-result.js";
export { callStoreOver, type MemoryCallStoreOptions, memoryCallStore } from "./memory-call-store.js";
export { memorySharedStore } from "./memory-shared-store.js";
export type { Member, MemberRight, MemberStore, Principal, SharedStore } from "./shared-store.js";
export { hintsOf, READING_OPERATIONS, type TableOperation } from "./table-operation.js";
export { type TeamStatus, teamStatus, type WorkerStatus } from "./team-status.js";
