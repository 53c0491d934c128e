// The entry "@haft/core/stores": the interfaces of the stores that keep approvals, grants, changes, runs and the audit
// log.
export type { PendingApproval } from "./approval/approval-manager.js";
export type {
  ApprovalDecision,
  ApprovalFilter,
  ApprovalRecord,
  ApprovalStore,
  MadeCall,
  StoredApproval,
} from "./approval/approval-store.js";
export { filteredApprovals } from "./approval/filtered-approvals.js";
export type { GrantStore, Grants, SavedGrant } from "./approval/grants.js";
export type { Decided } from "./approval/resumable-calls.js";
export { chainRecord, parseAuditRecord, verifyChain } from "./audit/audit-chain.js";
export {
  type AuditEntry,
  type AuditedChange,
  type AuditHead,
  type AuditOutcome,
  type AuditRecord,
  type AuditStore,
  type AuditVerdict,
  isDecision,
} from "./audit/audit-store.js";
export type { ChangeJournalStore, JournalPart, JournalPosition } from "./journal/change-journal-store.js";
export type {
  AppendOptions,
  JournalledEvent,
  RunJournal,
  RunJournalStore,
} from "./journal/run-journal-store.js";
