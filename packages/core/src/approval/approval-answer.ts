import type { ApprovalRequest } from "./approval.js";

/**
 * Asks whether a call may run. A plain function is enough. Must settle when the signal aborts. An
 * approver that throws denies the call; a ToolError it throws is reported unchanged.
 */
export interface Approver {
  (request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
  /**
   * Stores a request before it is announced. Returns it as stored, possibly under the id of an earlier
   * request for the same plan. `call` holds the unredacted arguments: never show it.
   */
  prepare?(request: ApprovalRequest, call: AskedCall): Promise<ApprovalRequest>;
}

/** The unredacted call behind a request, for an approver that must be able to repeat it. */
export interface AskedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The answer to an approval request. `isApproved` decides whether it approves. */
export interface ApprovalAnswer {
  readonly approved: boolean;
  /** Echoes the id of the request that was answered. An answer that names another request denies. */
  readonly stepId?: string;
  /** Run with these arguments instead. The kernel validates, judges and rehearses them like any others. */
  readonly modifiedArgs?: unknown;
  /**
   * Approves nothing yet: rehearses `modifiedArgs` and asks again with the result, instead of running them now.
   * Unchanged or missing arguments return to the same question. Interfaces for people set this with every edit.
   * "if-changed" is for forms that always carry the arguments: equal ones approve what was shown.
   */
  readonly showAgain?: boolean | "if-changed";
  /** Goes to the model with a denial. */
  readonly feedback?: string;
  /**
   * Saves a grant, so that calls it covers do not prompt again. Default: "once", which saves nothing. If `modifiedArgs`
   * change something, nothing is saved yet: they are shown again, with the grants that cover them, as if `showAgain`
   * were "if-changed".
   */
  readonly remember?: RememberChoice;
  /** Denies the call and stops the whole run. */
  readonly abort?: boolean;
  /** Why there is no decision: the request timed out, or the plan no longer matches the approved one. */
  readonly failure?: "timeout" | "stale";
  /** Who decided. Recorded in the audit log; default: a person without a name. */
  readonly by?: Decider;
}

/** The name of an answer in the original interface that this project implements. */
export type ApprovalResponse = ApprovalAnswer;

/** Who decided a call, and how; "none" if no approver was available. */
export interface Decider {
  readonly how: "person" | "rule" | "grant" | "library" | "timeout" | "none";
  /** The account, client, library, rule or grant, where it is known. */
  readonly who?: string;
}

export type RememberScope = "session" | "project";

/** A scope alone saves the broadest grant offered, which still covers only the paths and kinds shown. */
export type RememberChoice = "once" | RememberScope | RememberGrant;

export interface RememberGrant {
  /** The id of one of the request's grants. */
  readonly grant: string;
  readonly scope: RememberScope;
  readonly expiresInMs?: number;
}

/**
 * Decides whether an answer approves; no other code does. Only `approved: true` as an own property
 * approves, and only without `abort`.
 */
export function isApproved(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null) return false;
  const { approved, abort } = answer as Partial<Record<keyof ApprovalAnswer, unknown>>;
  return Object.hasOwn(answer, "approved") && approved === true && abort !== true;
}
