import type { EndReason, RunEvent, RunStatus } from "@haft/agent";
import type { ApprovalAnswer, ApprovalRequest, ChangeSummary, Role } from "@haft/core";
import type { CallRecord, Member, TeamStatus } from "@haft/core/calls";
import type { RuleSuggestion } from "@haft/core/policy";
import type { SavedGrant } from "@haft/core/stores";
import type { FileType } from "@haft/core/workspace";

/** The messages between server and page: plain data only. */

export interface WorkspaceInfo {
  readonly id: string;
  readonly name: string;
  readonly root: string;
  readonly role: string;
}

export interface RunSummary {
  readonly runId: string;
  readonly task: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly lastAt: string;
  readonly status: RunStatus;
  readonly reason?: EndReason;
  readonly step: number;
  readonly calls: number;
  readonly failed: number;
  readonly files: number;
  readonly waiting: number;
  /** False for runs that another process drives, or that no process drives. */
  readonly isDrivenHere: boolean;
}

export interface ApprovalItem {
  readonly id: string;
  readonly workspace: string;
  readonly request: ApprovalRequest;
  readonly requestedAt: string;
  readonly runId?: string;
  readonly task?: string;
  /** The model's text in the turn with the call. */
  readonly said?: string;
}

export interface DecisionRequest {
  readonly id: string;
  readonly answer: ApprovalAnswer;
}

/** A configuration found in a workspace that is not trusted yet. */
export interface TrustQuestion {
  readonly file: string;
  /** Identifies the exact content. Trust covers nothing else. */
  readonly digest: string;
  /** Whether it is code that Haft would run. */
  readonly isProgram: boolean;
  /** Settings that do more than narrow; ignored until it is trusted. */
  readonly settings: readonly WideningConfig[];
  /** Every file that the digest covers. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Set once a user has declined this content. */
  readonly isDeclined: boolean;
}

export interface WideningConfig {
  readonly key: string;
  readonly value: unknown;
  /** An explanation of the setting's effect. */
  readonly effect?: string;
}

/** The shared store that several machines work from, as seen by one tenant. */
export interface TeamInfo
  extends Pick<TeamStatus, "tenant" | "atMs" | "quotas" | "calls" | "workers" | "workspaces"> {
  /** Unsettled calls, oldest first, without their arguments. */
  readonly queue: readonly Pick<
    CallRecord,
    "callId" | "tool" | "workspace" | "state" | "worker" | "attempt" | "submittedAtMs"
  >[];
  readonly members: readonly Member[];
  readonly approvals: readonly ApprovalItem[];
  /** Whether the person at this console has the right to approve. */
  readonly mayApprove: boolean;
}

export interface TreeEntry {
  readonly path: string;
  readonly name: string;
  readonly type: FileType;
  readonly ignored?: boolean;
  readonly size: number;
}

export interface ChangeMark {
  readonly path: string;
  readonly kind: ChangeSummary["kind"];
  readonly callId: string;
  readonly tool: string;
  readonly at: string;
}

export type FileContent =
  | {
      readonly kind: "text";
      readonly path: string;
      readonly text: string;
      readonly hash: string;
      readonly format: string;
      readonly size: number;
    }
  | { readonly kind: "image" | "binary" | "large"; readonly path: string; readonly size: number };

export interface UndoOutcome {
  readonly callId: string;
  readonly changes: readonly ChangeSummary[];
  /** Why it was not undone. */
  readonly problem?: string;
}

export interface UsedGrant extends SavedGrant {
  /** How many calls it has decided, as far back as the audit log goes. */
  readonly uses: number;
  /** ISO 8601. */
  readonly lastUsedAt?: string;
}

export interface RulesInfo {
  readonly role: Role;
  readonly roles: Readonly<Record<string, Partial<Role>>>;
  readonly grants: readonly UsedGrant[];
  /** Rules that would have allowed what people approved. */
  readonly suggestion: RuleSuggestion;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** The messages of a page's stream. `run` events carry ids, so a page that reconnects misses none. */
export type ConsoleEvent =
  | {
      readonly kind: "run";
      readonly event: RunEvent;
      /** The event carries all there is so far instead of what is new. */
      readonly isWhole?: true;
    }
  | { readonly kind: "runs" }
  /** All pending approvals of one workspace. */
  | { readonly kind: "approvals"; readonly workspace: string; readonly items: readonly ApprovalItem[] }
  | { readonly kind: "decided"; readonly id: string; readonly by: string; readonly approved: boolean }
  | { readonly kind: "files"; readonly folders: readonly string[] }
  /** The configuration was trusted or declined: role, rules and tools may differ. */
  | { readonly kind: "config" }
  | { readonly kind: "replayed" };
