import type { ApprovalAnswer, ApprovalRequest } from "@haft/core";

/**
 * Who answers approval requests in a session. "ask": the user. "edits": file edits are accepted unless a rule or policy
 * asks about them, and the user answers the rest. "plan": the role is reader, and every request is denied. "all" and
 * "none" approve or deny every request.
 */
export type SessionMode = "ask" | "edits" | "plan" | "all" | "none";

export const SESSION_MODES: readonly SessionMode[] = ["ask", "edits", "plan", "all", "none"];

/** The modes a user cycles through. */
export const CYCLED_MODES: readonly SessionMode[] = ["ask", "edits", "plan"];

export function describeMode(mode: SessionMode): string {
  return { ask: "ask", edits: "accept edits", plan: "plan only", all: "approve all", none: "approve none" }[
    mode
  ];
}

/** Returns the answer a mode gives without asking. Undefined if the user decides. */
export function automaticAnswer(mode: SessionMode, request: ApprovalRequest): ApprovalAnswer | undefined {
  const by = { how: "rule" as const, who: `mode ${mode}` };
  if (mode === "all") return { approved: true, by };
  if (mode === "none" || mode === "plan")
    return { approved: false, by, feedback: `The mode is ${describeMode(mode)}.` };
  return mode === "edits" && isEdit(request) ? { approved: true, by } : undefined;
}

/**
 * Returns true for file changes that can be undone: no deletion, no protected file, no code execution. Where a rule or
 * policy wants a person to be asked, a mode does not answer.
 */
function isEdit({ changes, risk, isFallback }: ApprovalRequest): boolean {
  return changes.length > 0 && risk !== "high" && isFallback === true;
}

/** Prepended to every message in plan mode. */
export const PLAN_INSTRUCTION =
  "Plan only: do not change anything. Look at what you need, then answer with a written plan: the files to change, how, and how to check it.";
