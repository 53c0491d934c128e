import type { ApprovalRequest, Grant } from "./approval.js";
import type { RememberGrant, RememberScope } from "./approval-answer.js";

/** The remembered answers, as the kernel uses them. */
export interface Grants {
  /** Returns the grant that covers everything a request would do, so that no approval is needed. */
  covering(request: ApprovalRequest): Promise<Grant | undefined>;
  /** Returns all grants in force, so that a request can say why none covers it. */
  list?(): readonly Grant[] | Promise<readonly Grant[]>;
  /** Saves a grant that an approver chose. */
  save?(grant: Grant, options: Omit<RememberGrant, "grant">): Promise<Grant>;
}

/** A grant that an approver chose to save. */
export interface SavedGrant extends Grant {
  readonly scope: RememberScope;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt?: string;
}

/** Stores the grants of one workspace. Once a process revokes a grant, all others see that at their next read. */
export interface GrantStore {
  /** Stores a grant. Idempotent by id. */
  insert(grant: SavedGrant): Promise<void>;
  /** Returns all grants, including expired ones, oldest first. */
  list(): Promise<readonly SavedGrant[]>;
  /** Returns true to exactly one caller; false if the grant does not exist. */
  remove(id: string): Promise<boolean>;
}
