import {
  type ApprovalAnswer,
  type ApprovalGate,
  type ApprovalRequest,
  type AskedCall,
  canonicalJson,
  type Grant,
  ToolError,
} from "@haft/core";
import { isAlive, ownIdentity } from "../journal/process-identity.js";
import type { ApprovalRecord, MadeCall } from "./approval-record.js";
import { type Approver, type ReadAnswer, readResponse } from "./approval-response.js";
import type { ApprovalStore } from "./approval-store.js";
import type { RememberedGrants } from "./remembered-grants.js";
import { WaitingApproval } from "./waiting-approval.js";

/** A request that waits for an answer; flat, so that it can be shown like any request. */
export interface PendingApproval extends ApprovalRequest {
  /** What `decide` takes; the same as `stepId`. */
  readonly approvalId: string;
  /** ISO 8601. */
  readonly requestedAt: string;
  /** Who waits: a call of this runtime, one of another live process, or nobody any more. */
  readonly waiter: "here" | "elsewhere" | "gone";
}

export interface ApprovalManagerParts {
  readonly store: ApprovalStore;
  readonly grants: RememberedGrants;
  readonly approver?: Approver | undefined;
  readonly timeoutMs: number;
  readonly role: string;
  readonly workspace: string;
  /** A call that was given its id by its caller, who may make it again after a restart. */
  callOf(callId: string): MadeCall | undefined;
}

/**
 * Asks people and keeps what they said. A request is on disk before anybody sees it; it is decided
 * once, by whoever is first: the approver, `decide` from elsewhere, the clock, or the caller who
 * gives up. Requests wait side by side, each for its own answer.
 */
export class ApprovalManager implements ApprovalGate {
  readonly #parts: ApprovalManagerParts;
  readonly #waiting = new Map<string, WaitingApproval>();
  readonly #owner = ownIdentity();

  constructor(parts: ApprovalManagerParts) {
    this.#parts = parts;
  }

  granted(request: ApprovalRequest): Grant | undefined {
    return this.#parts.grants.covering(request);
  }

  async ask(request: ApprovalRequest, signal: AbortSignal, asked: AskedCall): Promise<ApprovalAnswer> {
    const call = this.#parts.callOf(request.callId) ?? asked;
    const orphan = await this.orphanOf(request.callId, call);
    const decision = orphan && (await this.#parts.store.decision(orphan.request.stepId));
    if (orphan !== undefined && decision !== undefined)
      return this.#useDecision(orphan, request, decision.answer);
    const record = this.#recordOf(request, call, orphan);
    await this.#parts.store.save(record);
    // Another plan is another question; the same one is taken up in its place, never out of sight.
    if (orphan !== undefined && orphan.request.stepId !== record.request.stepId)
      await this.#parts.store.take(orphan);
    return this.#wait(new WaitingApproval(record, request.stepId), signal);
  }

  /** All that wait for an answer in this workspace, oldest first; also those whose process is gone. */
  async pending(): Promise<readonly PendingApproval[]> {
    const records = (await this.#parts.store.list()).filter((record) => this.#isOurs(record));
    const pending: PendingApproval[] = [];
    for (const record of records) {
      const { request, requestedAt } = record;
      if (this.#waiting.get(request.stepId)?.isClaimed) continue;
      if ((await this.#parts.store.decision(request.stepId)) !== undefined) continue;
      pending.push({ ...request, approvalId: request.stepId, requestedAt, waiter: this.#waiterOf(record) });
    }
    return pending.sort((a, b) => (a.requestedAt < b.requestedAt ? -1 : 1));
  }

  /**
   * Decides a request. Returns the record of one that nobody waits for any more: its call is the
   * caller's to run again. Rejects with ALREADY_DECIDED or APPROVAL_NOT_FOUND.
   */
  async decide(approvalId: string, response: unknown): Promise<ApprovalRecord | undefined> {
    const waiting = this.#find(approvalId);
    if (waiting !== undefined) {
      const isFirst = await this.#conclude(
        waiting,
        readResponse(response, shownRequest(waiting, approvalId)),
      );
      if (!isFirst) throw alreadyDecided(approvalId);
      return undefined;
    }
    const record = (await this.#parts.store.list()).find(({ request }) => request.stepId === approvalId);
    if (record === undefined || !this.#isOurs(record)) throw await this.#unknown(approvalId);
    if (!isAlive(record.owner) && record.request.role !== this.#parts.role)
      throw otherRole(record.request.role, this.#parts.role);
    const answer = readResponse(response, record.request);
    if (!(await this.#parts.store.decide(approvalId, answer))) throw alreadyDecided(approvalId);
    // A call that waits in another process remembers for itself.
    if (isAlive(record.owner)) return undefined;
    await this.#remember(record.request, answer);
    return record;
  }

  /** The stored approval of a call whose process is gone; only of the very same call. */
  async orphanOf(callId: string, call: MadeCall): Promise<ApprovalRecord | undefined> {
    if (!this.#parts.store.isUsed) return undefined;
    const records = await this.#parts.store.ofCall(callId);
    return records.find(
      (record) =>
        this.#isOurs(record) &&
        record.request.role === this.#parts.role &&
        isSameCall(record.call, call) &&
        !isAlive(record.owner),
    );
  }

  /** Resolves when nothing waits any more: after the runtime's calls have been cancelled. */
  async idle(): Promise<void> {
    await Promise.all([...this.#waiting.values()].map(({ answer }) => answer));
  }

  async #wait(waiting: WaitingApproval, signal: AbortSignal): Promise<ApprovalAnswer> {
    this.#waiting.set(waiting.id, waiting);
    const { timeoutMs } = this.#parts;
    const giveUp = () => void this.#conclude(waiting, { approved: false });
    const timer = setTimeout(
      () => void this.#conclude(waiting, { approved: false, failure: "timeout" }),
      Math.min(timeoutMs, MAX_TIMER_MS),
    );
    const elsewhere = setInterval(() => void this.#lookElsewhere(waiting), LOOK_ELSEWHERE_MS).unref();
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    else void this.#askApprover(waiting);
    try {
      return await waiting.answer;
    } finally {
      clearTimeout(timer);
      clearInterval(elsewhere);
      signal.removeEventListener("abort", giveUp);
      this.#waiting.delete(waiting.id);
    }
  }

  /** An approver that fails denies; what it threw is told, so that a defect does not look like a decision. */
  async #askApprover(waiting: WaitingApproval): Promise<void> {
    const { approver } = this.#parts;
    if (approver === undefined) return;
    const { request } = waiting.record;
    try {
      // A copy: whoever is shown the request cannot change what is approved.
      const response = await approver(structuredClone(request), waiting.over.signal);
      await this.#conclude(waiting, readResponse(response, request));
    } catch (cause) {
      const feedback = `the approver failed (${cause instanceof Error ? cause.message : String(cause)})`;
      await this.#conclude(waiting, { approved: false, feedback });
    }
  }

  /** False when somebody else was first, here or in another process; then their decision counts. */
  async #conclude(waiting: WaitingApproval, answer: ReadAnswer): Promise<boolean> {
    if (!waiting.claim()) return false;
    const { store } = this.#parts;
    try {
      const isFirst = await store.decide(waiting.id, answer);
      await this.#finish(waiting, isFirst ? answer : (await store.decision(waiting.id))?.answer);
      return isFirst;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      waiting.settle({ approved: false, feedback: `the decision could not be stored (${reason})` });
      return true;
    }
  }

  /** Another process may have decided: a console, a command line. */
  async #lookElsewhere(waiting: WaitingApproval): Promise<void> {
    const decision = await this.#parts.store.decision(waiting.id).catch(() => undefined);
    if (decision === undefined || !waiting.claim()) return;
    await this.#finish(waiting, decision.answer).catch(() => waiting.settle({ approved: false }));
  }

  /** The call hears of a decision when all is stored that it entails. */
  async #finish(waiting: WaitingApproval, answer: ReadAnswer = { approved: false }): Promise<void> {
    const { request } = waiting.record;
    await this.#remember(request, answer);
    // Who takes it may use it: two calls that waited for one approval do not both run.
    const isMine = await this.#parts.store.take(waiting.record);
    waiting.settle(isMine || !answer.approved ? answer : { approved: false, failure: "stale" });
    if (answer.remember !== undefined) this.#reconsider();
  }

  async #useDecision(
    orphan: ApprovalRecord,
    request: ApprovalRequest,
    answer: ReadAnswer | undefined,
  ): Promise<ApprovalAnswer> {
    // Taken before it is used: two processes cannot both act on one approval.
    const isMine = await this.#parts.store.take(orphan);
    if (answer?.approved === false) return answer;
    if (!isMine || answer === undefined || orphan.request.planDigest !== request.planDigest)
      return { approved: false, failure: "stale" };
    return answer;
  }

  async #remember(request: ApprovalRequest, { remember }: ReadAnswer): Promise<void> {
    const grant = request.grants.find(({ id }) => id === remember?.grant);
    if (remember !== undefined && grant !== undefined) await this.#parts.grants.save(grant, remember);
  }

  /** What was just remembered may answer others that wait. */
  #reconsider(): void {
    for (const waiting of this.#waiting.values()) {
      if (!waiting.isClaimed && this.granted(waiting.record.request) !== undefined)
        void this.#conclude(waiting, { approved: true });
    }
  }

  #recordOf(request: ApprovalRequest, call: MadeCall, orphan: ApprovalRecord | undefined): ApprovalRecord {
    const isSamePlan = orphan?.request.planDigest === request.planDigest;
    return {
      // People may have the stored id on a screen or in a link: it stays good for the same plan.
      request: isSamePlan ? { ...request, stepId: orphan.request.stepId } : request,
      requestedAt: isSamePlan ? orphan.requestedAt : new Date().toISOString(),
      workspace: this.#parts.workspace,
      owner: this.#owner,
      call,
    };
  }

  #find(approvalId: string): WaitingApproval | undefined {
    const known = this.#waiting.get(approvalId);
    return known ?? [...this.#waiting.values()].find(({ eventId }) => eventId === approvalId);
  }

  #waiterOf(record: ApprovalRecord): PendingApproval["waiter"] {
    if (this.#waiting.has(record.request.stepId)) return "here";
    return isAlive(record.owner) ? "elsewhere" : "gone";
  }

  #isOurs({ workspace }: ApprovalRecord): boolean {
    return workspace === this.#parts.workspace;
  }

  async #unknown(approvalId: string): Promise<ToolError> {
    if ((await this.#parts.store.decision(approvalId)) !== undefined) return alreadyDecided(approvalId);
    return new ToolError(
      "APPROVAL_NOT_FOUND",
      `There is no pending approval ${JSON.stringify(approvalId.slice(0, 80))}`,
    );
  }
}

const LOOK_ELSEWHERE_MS = 500;
// The longest a timer can be set to.
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The request under the id it was decided by, so that an answer naming that id is for it. */
function shownRequest({ record }: WaitingApproval, approvalId: string): ApprovalRequest {
  return { ...record.request, stepId: approvalId };
}

function isSameCall(a: MadeCall, b: MadeCall): boolean {
  return canonicalJson([a.tool, a.args]) === canonicalJson([b.tool, b.args]);
}

/** Its call would be made here, so it is decided here only for what this runtime is trusted with. */
function otherRole(asked: string, own: string): ToolError {
  return new ToolError(
    "PERMISSION_DENIED",
    `The approval is for the role ${asked}; this runtime is for ${own}`,
    {
      hint: `Decide it in a runtime for the role ${asked}.`,
    },
  );
}

function alreadyDecided(approvalId: string): ToolError {
  return new ToolError("ALREADY_DECIDED", `The approval ${approvalId} has already been decided`, {
    hint: "The first decision counts.",
  });
}
