import type { Opinion } from "../approval/approval.js";
import type { ChangeSummary } from "../workspace/describe-change.js";

/** How a call would be decided, step by step. */
export interface Explanation {
  /** "box" means that the call runs confined, and that its changes to existing files need approval. */
  readonly effect: "allow" | "box" | "ask" | "deny";
  /** The rule, policy, proposal, grant or check that decided. */
  readonly decidedBy: string;
  readonly steps: readonly ExplainedStep[];
  /** Every policy and rule with an opinion, in evaluation order. The strictest wins. */
  readonly chain: readonly ExplainedOpinion[];
  readonly changes: readonly ChangeSummary[];
}

export interface ExplainedOpinion {
  readonly policy: string;
  readonly effect: Opinion["effect"];
  readonly because: string;
}

export interface ExplainedStep {
  readonly check: "tool and role" | "arguments" | "rehearsal" | "policy" | "approver";
  readonly passed: boolean;
  readonly because: string;
  /** The error code a real call would return here. */
  readonly code?: string;
  /** How to resolve it. */
  readonly hint?: string;
}
