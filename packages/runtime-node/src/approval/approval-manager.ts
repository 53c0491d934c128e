import {
  type ApprovalAnswer,
  type ApprovalGate,
  type ApprovalRequest,
  type AskedCall,
  canonicalJson,
  type Grant,
  type Redact,
  type ToolError,
} from "@haft/core";
import { isAlive, ownIdentity } from "../journal/process-identity.js";
import { alreadyDecided, cannotStore, notPending, otherRole } from "./approval-errors.js";
import type { ApprovalRecord, MadeCall } from "./approval-record.js";
import { type ReadAnswer, readResponse } from "./approval-response.js";
import { WaitingApproval } from "./waiting-approval.js";
import { WaitingApprovals, type WaitingParts } from "./waiting-approvals.js";

/** A request that waits for an answer; flat, so that it can be shown like any request. */
export interface PendingApproval extends ApprovalRequest {
  /** What `decide` takes; the same as `stepId`. */
  readonly approvalId: string;
  /** ISO 8601. */
  readonly requestedAt: string;
  /** Who waits: a call of this runtime, one of another live process, or nobody any more. */
  readonly waiter: "here" | "elsewhere" | "gone";
}

export interface ApprovalManagerParts extends WaitingParts {
  readonly role: string;
  readonly workspace: string;
  /** A call that was given its id by its caller, who may make it again after a restart. */
  callOf(callId: string): MadeCall | undefined;
  /** What takes secrets out of what people are shown. */
  readonly redact: Redact;
}

/**
 * Asks people and keeps what they said. A request is on disk before anybody sees it, is decided
 * once, and outlives its process: whoever comes later finds it, with all that is needed to decide it.
 */
export class ApprovalManager implements ApprovalGate {
  readonly #parts: ApprovalManagerParts;
  readonly #waiting: WaitingApprovals;
  readonly #preparing = new Map<string, { readonly callId: string; readonly ready: Promise<unknown> }>();
  readonly #owner = ownIdentity();

  constructor(parts: ApprovalManagerParts) {
    this.#parts = parts;
    this.#waiting = new WaitingApprovals(parts);
  }

  granted(request: ApprovalRequest): Grant | undefined {
    return this.#parts.grants.covering(request);
  }

  async ask(request: ApprovalRequest, signal: AbortSignal, asked: AskedCall): Promise<ApprovalAnswer> {
    const ready = this.#prepare(request, asked);
    this.#preparing.set(request.stepId, { callId: request.callId, ready });
    try {
      const prepared = await ready;
      return prepared instanceof WaitingApproval ? this.#waiting.wait(prepared, signal) : prepared;
    } finally {
      this.#preparing.delete(request.stepId);
    }
  }

  /** All that wait for an answer in this workspace, oldest first; also those whose process is gone. */
  async pending(): Promise<readonly PendingApproval[]> {
    // Whoever heard of a request finds it here, even if it is still being stored.
    await Promise.resolve();
    await Promise.allSettled([...this.#preparing.values()].map(({ ready }) => ready));
    const pending: PendingApproval[] = [];
    for (const record of await this.#records()) {
      const { request, requestedAt } = record;
      if (this.#waiting.find(request.stepId)?.isClaimed) continue;
      if ((await this.#parts.store.decision(request.stepId)) !== undefined) continue;
      pending.push({ ...request, approvalId: request.stepId, requestedAt, waiter: this.#waiterOf(record) });
    }
    return pending.sort((a, b) => (a.requestedAt < b.requestedAt ? -1 : 1));
  }

  /**
   * Decides a request. Returns the record of one that nobody waits for any more: its call is the
   * caller's to make again. Rejects with ALREADY_DECIDED or APPROVAL_NOT_FOUND.
   */
  async decide(approvalId: string, response: unknown): Promise<ApprovalRecord | undefined> {
    await this.#prepared(approvalId);
    const waiting = this.#waiting.find(approvalId);
    if (waiting === undefined) return this.#decideStored(approvalId, response);
    // Under the id it was decided by, so that an answer naming that id is for it.
    const shown = { ...waiting.record.request, stepId: approvalId };
    const isFirst = await this.#waiting.conclude(waiting, readResponse(response, shown, waiting.record));
    if (!isFirst) throw alreadyDecided(approvalId);
    return undefined;
  }

  /** The stored approval of a call whose process is gone; only of the very same call. */
  async orphanOf(callId: string, call: MadeCall): Promise<ApprovalRecord | undefined> {
    if (!this.#parts.store.has(callId)) return undefined;
    const records = await this.#parts.store.ofCall(callId);
    return records.find(
      (record) =>
        this.#isOurs(record) &&
        record.request.role === this.#parts.role &&
        isSameCall(record.call, call) &&
        !isAlive(record.owner),
    );
  }

  idle(): Promise<void> {
    return this.#waiting.idle();
  }

  /** A stored decision, or a request that is stored and can be shown. */
  async #prepare(request: ApprovalRequest, asked: AskedCall): Promise<WaitingApproval | ApprovalAnswer> {
    const { store } = this.#parts;
    const call = this.#parts.callOf(request.callId) ?? asked;
    const orphan = await this.orphanOf(request.callId, call);
    const decision = orphan && (await store.decision(orphan.request.stepId));
    if (orphan !== undefined && decision !== undefined)
      return this.#useDecision(orphan, request, decision.answer);
    const hidesArguments = canonicalJson(this.#parts.redact(asked.args)) !== canonicalJson(asked.args);
    const record = { ...this.#recordOf(request, call, orphan), hidesArguments };
    await store.save(record).catch(cannotStore);
    // Another plan is another question; the same one is taken up in its place, never out of sight.
    if (orphan !== undefined && orphan.request.stepId !== record.request.stepId) await store.take(orphan);
    return new WaitingApproval(record, request.stepId);
  }

  /** A watcher may answer at the very event that tells of a request: before it is stored, even before `ask`. */
  async #prepared(approvalId: string): Promise<void> {
    await Promise.resolve();
    await this.#preparing.get(approvalId)?.ready.catch(() => {});
  }

  async #decideStored(approvalId: string, response: unknown): Promise<ApprovalRecord | undefined> {
    const { store, role } = this.#parts;
    const record = (await this.#records()).find(({ request }) => request.stepId === approvalId);
    if (record === undefined) throw await this.#unknown(approvalId);
    const isWaitedFor = isAlive(record.owner);
    if (!isWaitedFor && record.request.role !== role) throw otherRole(record.request.role, role);
    const answer = readResponse(response, record.request, record);
    if (!(await store.decide(approvalId, answer))) throw alreadyDecided(approvalId);
    // A call that waits in another process remembers for itself.
    if (isWaitedFor) return undefined;
    await this.#waiting.remember(record.request, answer);
    return record;
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

  async #records(): Promise<readonly ApprovalRecord[]> {
    return (await this.#parts.store.list()).filter((record) => this.#isOurs(record));
  }

  #waiterOf(record: ApprovalRecord): PendingApproval["waiter"] {
    const { stepId, callId } = record.request;
    const isPrepared = [...this.#preparing.values()].some((prepared) => prepared.callId === callId);
    if (isPrepared || this.#waiting.find(stepId) !== undefined) return "here";
    return isAlive(record.owner) ? "elsewhere" : "gone";
  }

  #isOurs({ workspace }: ApprovalRecord): boolean {
    return workspace === this.#parts.workspace;
  }

  async #unknown(approvalId: string): Promise<ToolError> {
    const isDecided = (await this.#parts.store.decision(approvalId)) !== undefined;
    return isDecided ? alreadyDecided(approvalId) : notPending(approvalId);
  }
}

function isSameCall(a: MadeCall, b: MadeCall): boolean {
  return canonicalJson([a.tool, a.args]) === canonicalJson([b.tool, b.args]);
}
