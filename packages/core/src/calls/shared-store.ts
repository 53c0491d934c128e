import type { ApprovalStore } from "../approval/approval-store.js";
import type { GrantStore } from "../approval/grants.js";
import type { AuditStore } from "../audit/audit-store.js";
import type { RunJournalStore } from "../journal/run-journal-store.js";
import type { WorkspaceKey } from "./call-record.js";
import type { CallStore } from "./call-store.js";

/**
 * All state that several machines share. Each part is limited to one tenant, except `calls`, which takes the tenant in
 * its keys.
 */
export interface SharedStore {
  readonly calls: CallStore;
  readonly members: MemberStore;
  /** `workspace` of its records is the id of the workspace. */
  approvals(tenant: string): ApprovalStore;
  grants(key: WorkspaceKey): GrantStore;
  audit(tenant: string): AuditStore;
  runs(tenant: string): RunJournalStore;
  close(): Promise<void>;
}

/** Who acts, and for which tenant. The host authenticates them. */
export interface Principal {
  readonly tenant: string;
  readonly id: string;
}

/** "approve": decide approvals of the tenant. "operate": change quotas and members. */
export type MemberRight = "approve" | "operate";

export interface Member extends Principal {
  readonly rights: readonly MemberRight[];
}

/** Stores the rights of principals. A principal that is not a member has no rights. */
export interface MemberStore {
  /** Adds a member, or replaces its rights. */
  put(member: Member): Promise<void>;
  list(tenant: string): Promise<readonly Member[]>;
  /** Returns true to exactly one caller. */
  remove(principal: Principal): Promise<boolean>;
}
