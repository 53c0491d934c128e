import type { ApprovalAnswer } from "@haft/core";
import type { AuditRecord } from "@haft/core/stores";
import { computed, effect, signal } from "@preact/signals";
import type { ApprovalItem } from "../../src/protocol.js";
import { announce } from "../parts/toast.js";
import { ApiError, get, isOffline, post, wordsOf } from "./api.js";
import { reconnections } from "./stream.js";
import { isSharedCall, loadTeam, team, teamApprovals } from "./team.js";
import { approvals, decisions, dropApproval } from "./workspace.js";

/** The approval that the dialog shows. If another user decides it, the dialog stays open and shows that. */
export const reviewed = signal<string | undefined>(undefined);
export const decideProblem = signal<string | undefined>(undefined);
export const isDeciding = signal(false);
const couldNotSend = signal(false);

/** Whether an approval still waits for an answer. */
export function isWaiting(id: string): boolean {
  return itemOf(id) !== undefined;
}

function itemOf(wanted: string | undefined): ApprovalItem | undefined {
  return [...(approvals.value ?? []), ...teamApprovals.value].find(({ id }) => id === wanted);
}

export const reviewedItem = computed(() => {
  const found = itemOf(reviewed.value);
  if (found !== undefined) kept = found;
  return reviewed.value === undefined
    ? undefined
    : (found ?? (kept?.id === reviewed.value ? kept : undefined));
});

/** An edited call that needs another answer has a new request, which the dialog then shows. */
effect(() => {
  const id = reviewed.value;
  const callId = reviewedItem.value?.request.callId;
  if (id === undefined || callId === undefined || isDeciding.value || isWaiting(id)) return;
  const next = approvals.value?.find(({ request }) => request.callId === callId);
  if (next !== undefined) reviewed.value = next.id;
});

/** The stream reports who decided, unless it happened in a terminal or while this page was disconnected. */
effect(() => {
  const item = reviewedItem.value;
  void reconnections.value;
  if (item === undefined || isDeciding.value || isWaiting(item.id) || decisions.value[item.id]) return;
  const timer = window.setTimeout(() => void learnDecision(item), 300);
  return () => window.clearTimeout(timer);
});

async function learnDecision({ id, workspace, request }: ApprovalItem): Promise<void> {
  const place = `/api/${workspace}/decisions`;
  const records = await get<readonly AuditRecord[]>(place, { call: request.callId }).catch(() => []);
  const record = records.find(({ approvalId }) => approvalId === id);
  if (record === undefined || decisions.peek()[id] !== undefined) return;
  const by = record.decider.who ?? record.decider.how;
  decisions.value = { ...decisions.peek(), [id]: { by, approved: record.verdict === "allow" } };
}

/** After reconnecting, the previous failure is obsolete, and the same answer may be sent again. */
effect(() => {
  if (reconnections.value > 0 && couldNotSend.peek()) decideProblem.value = undefined;
});

let kept: ApprovalItem | undefined;

export function review(id: string | undefined): void {
  decideProblem.value = undefined;
  reviewed.value = id;
  if (id !== undefined) void findShared(id);
}

/** Opens the next or the previous pending approval. */
export function reviewNext(by: 1 | -1 = 1): void {
  const items = approvals.value ?? [];
  if (items.length === 0) return;
  const at = items.findIndex(({ id }) => id === reviewed.value);
  review(items[(at + by + items.length) % items.length]?.id);
}

/** A run may ask about a call on another machine before the list of the team shows it. */
async function findShared(id: string): Promise<void> {
  if (team.peek() !== null && itemOf(id) === undefined) await loadTeam();
}

export interface GivenAnswer {
  readonly id: string;
  readonly answer: ApprovalAnswer;
}

/** Sends an answer. An edited call asks again: the dialog stays open and shows its new request. */
export async function decide({ id, answer }: GivenAnswer): Promise<void> {
  isDeciding.value = true;
  decideProblem.value = undefined;
  await findShared(id);
  // The request disappears from the list if another user was faster. The dialog must report that even if it was not
  // open.
  kept = itemOf(id) ?? kept;
  const isTeam = isSharedCall(id);
  const workspace = approvals.peek()?.find((each) => each.id === id)?.workspace;
  const place = isTeam ? "/api/team" : workspace === undefined ? "decide" : `/api/${workspace}/decide`;
  try {
    await post(place, { id, answer });
    const isEdited = answer.modifiedArgs !== undefined;
    announce(isEdited ? "The edited call is asked about again" : answer.approved ? "Allowed" : "Denied");
    dropApproval(id);
    if (isTeam) await loadTeam();
    if (reviewed.value === id && !isEdited) review(undefined);
  } catch (thrown) {
    couldNotSend.value = isOffline(thrown);
    const isLate = thrown instanceof ApiError && LATE.has(thrown.code);
    decideProblem.value = isLate ? "Your answer came second and was not used." : wordsOf(thrown);
    if (isLate) dropApproval(id);
    if (isLate && isTeam) void loadTeam();
    reviewed.value = id;
  } finally {
    isDeciding.value = false;
  }
}

const LATE: ReadonlySet<string> = new Set(["ALREADY_DECIDED", "APPROVAL_NOT_FOUND"]);
