import type { Redact } from "../result/redact.js";
import type { ApprovalRequest } from "./approval.js";
import { type ApprovalAnswer, type Approver, type AskedCall, isApproved } from "./approval-answer.js";
import { alreadyDecided, notPending, otherRole } from "./approval-errors.js";
import type { ApprovalRecord, MadeCall, StoredApproval } from "./approval-store.js";
import { canonicalJson } from "./canonical-json.js";
import { assertRemember, readAnswer } from "./read-answer.js";
import { WaitingApproval } from "./waiting-approval.js";
import { WaitingApprovals, type WaitingParts } from "./waiting-approvals.js";

/** A pending request. It extends the request, so anything that renders requests can render it. */
export interface PendingApproval extends ApprovalRequest {
  /** What `decide` takes; the same as `stepId`. */
  readonly approvalId: string;
  /** ISO 8601. */
  readonly requestedAt: string;
  /** Who waits: a call of this runtime ("here"), of another live process ("elsewhere"), or no process ("gone"). */
  readonly waiter: "here" | "elsewhere" | "gone";
}

interface ApprovalManagerParts extends WaitingParts {
  readonly role: string;
  readonly workspace: string;
  /** Returns the call made under an id that its caller chose and may use again after a restart. */
  callOf(callId: string): MadeCall | undefined;
  /** Removes secrets from what people see. */
  readonly redact: Redact;
}

/**
 * Stores approval requests and their decisions. A request is stored before it is shown, is decided
 * once, and outlives its process together with everything needed to decide it and run its call.
 */
export class ApprovalManager {
  /** The kernel's approver: stores a request, then waits for the first decision. */
  readonly approver: Approver = Object.assign(
    (request: ApprovalRequest, signal: AbortSignal) => this.#ask(request, signal),
    { prepare: (request: ApprovalRequest, call: AskedCall) => this.#track(this.#prepare(request, call)) },
  );
  readonly #parts: ApprovalManagerParts;
  readonly #waiting: WaitingApprovals;
  /** Decisions that were made while no process was waiting, until their call uses them. */
  readonly #decided = new Map<string, ApprovalAnswer>();
  readonly #preparing = new Set<Promise<unknown>>();

  constructor(parts: ApprovalManagerParts) {
    this.#parts = parts;
    this.#waiting = new WaitingApprovals(parts);
  }

  /** Lists the pending requests of this workspace, oldest first, including those whose process has ended. */
  async pending(): Promise<readonly PendingApproval[]> {
    // Requests that are still being stored are pending too.
    await Promise.allSettled(this.#preparing);
    return (await this.#stored()).flatMap((stored) => {
      const { request, requestedAt, decision } = stored;
      const here = this.#waiting.find(request.stepId);
      if (decision !== undefined || here?.isClaimed === true) return [];
      const waiter = here !== undefined ? "here" : stored.isWaitedFor ? "elsewhere" : "gone";
      return [{ ...request, approvalId: request.stepId, requestedAt, waiter }];
    });
  }

  /**
   * Decides a request. If no process waits for it, returns its record and the caller must make the call again. Rejects
   * with ALREADY_DECIDED or APPROVAL_NOT_FOUND. If `remember` names a grant that was not offered, rejects with
   * INVALID_ARGUMENTS and decides nothing.
   */
  async decide(approvalId: string, answer: unknown): Promise<ApprovalRecord | undefined> {
    const waiting = this.#waiting.find(approvalId);
    if (waiting === undefined) return this.#decideStored(approvalId, answer);
    const { record } = waiting;
    assertRemember(answer, record.request);
    const isFirst = await this.#waiting.conclude(waiting, readAnswer(answer, record.request, record));
    if (!isFirst) throw alreadyDecided(approvalId);
    return undefined;
  }

  /** Denies a request finally, without making its call. Rejects as `decide` does. */
  async withdraw(approvalId: string): Promise<void> {
    const waiting = this.#waiting.find(approvalId);
    if (waiting !== undefined) {
      if (!(await this.#waiting.withdraw(waiting))) throw alreadyDecided(approvalId);
      return;
    }
    const { store } = this.#parts;
    const stored = await this.#find(approvalId);
    if (!(await store.decide(approvalId, { approved: false }))) throw alreadyDecided(approvalId);
    if (!stored.isWaitedFor) await store.take(approvalId);
  }

  /** Denies every request that a call of this runtime waits for. */
  async withdrawOwn(): Promise<void> {
    await Promise.all(this.#waiting.all().map((waiting) => this.#waiting.withdraw(waiting)));
  }

  /** Finds the stored approval of exactly this call if no process waits for it. */
  async orphanOf(callId: string, call: MadeCall): Promise<StoredApproval | undefined> {
    return (await this.#parts.store.list({ callId })).find(
      (stored) =>
        this.#isOurs(stored) &&
        stored.request.role === this.#parts.role &&
        isSameCall(stored.call, call) &&
        !stored.isWaitedFor,
    );
  }

  idle(): Promise<void> {
    return this.#waiting.idle();
  }

  /** Stores a request, or finds the decision on an earlier one for the same call. */
  async #prepare(request: ApprovalRequest, asked: AskedCall): Promise<ApprovalRequest> {
    const { store } = this.#parts;
    const call = this.#parts.callOf(request.callId) ?? asked;
    const orphan = await this.orphanOf(request.callId, call);
    if (orphan?.decision !== undefined) {
      this.#decided.set(request.stepId, await this.#useDecision(orphan, request));
      return request;
    }
    const shown = this.#parts.redact(asked.args);
    // A host's own redaction may copy what it leaves as it is.
    const hidesArguments = shown !== asked.args && canonicalJson(shown) !== canonicalJson(asked.args);
    const record = { ...this.#recordOf(request, call, orphan), hidesArguments };
    await store.insert(record);
    // A different plan is a new request. The same plan keeps its request, which stays listed throughout.
    if (orphan !== undefined && orphan.request.stepId !== record.request.stepId)
      await store.take(orphan.request.stepId);
    this.#waiting.add(new WaitingApproval(record));
    return record.request;
  }

  #track(preparing: Promise<ApprovalRequest>): Promise<ApprovalRequest> {
    this.#preparing.add(preparing);
    const forget = () => this.#preparing.delete(preparing);
    preparing.then(forget, forget);
    return preparing;
  }

  async #ask({ stepId }: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const decided = this.#decided.get(stepId);
    this.#decided.delete(stepId);
    return decided ?? this.#waiting.wait(stepId, signal);
  }

  async #decideStored(approvalId: string, given: unknown): Promise<ApprovalRecord | undefined> {
    const { store, role } = this.#parts;
    const stored = await this.#find(approvalId);
    const { isWaitedFor, request } = stored;
    if (!isWaitedFor && request.role !== role) throw otherRole(request.role, role);
    assertRemember(given, request);
    const answer = readAnswer(given, request, stored);
    if (!(await store.decide(approvalId, answer))) throw alreadyDecided(approvalId);
    // The process whose call waits saves the grant itself.
    if (isWaitedFor) return undefined;
    await this.#waiting.remember(request, answer);
    return stored;
  }

  async #useDecision(orphan: StoredApproval, request: ApprovalRequest): Promise<ApprovalAnswer> {
    const { answer } = orphan.decision ?? {};
    // Taken before it is used: two processes cannot both act on one approval.
    const isMine = await this.#parts.store.take(orphan.request.stepId);
    if (answer !== undefined && !isApproved(answer)) return answer;
    if (!isMine || answer === undefined || orphan.request.planDigest !== request.planDigest)
      return { approved: false, failure: "stale" };
    return answer;
  }

  #recordOf(request: ApprovalRequest, call: MadeCall, orphan: ApprovalRecord | undefined): ApprovalRecord {
    const isSamePlan = orphan?.request.planDigest === request.planDigest;
    return {
      // A screen or a link may contain the stored id, which stays valid for the same plan.
      request: isSamePlan ? { ...request, stepId: orphan.request.stepId } : request,
      requestedAt: isSamePlan ? orphan.requestedAt : new Date().toISOString(),
      workspace: this.#parts.workspace,
      call,
    };
  }

  async #stored(): Promise<readonly StoredApproval[]> {
    return (await this.#parts.store.list()).filter((stored) => this.#isOurs(stored));
  }

  async #find(approvalId: string): Promise<StoredApproval> {
    const stored = (await this.#stored()).find(({ request }) => request.stepId === approvalId);
    if (stored !== undefined) return stored;
    const isDecided = (await this.#parts.store.decision(approvalId)) !== undefined;
    throw isDecided ? alreadyDecided(approvalId) : notPending(approvalId);
  }

  #isOurs({ workspace }: ApprovalRecord): boolean {
    return workspace === this.#parts.workspace;
  }
}

function isSameCall(a: MadeCall, b: MadeCall): boolean {
  return canonicalJson([a.tool, a.args]) === canonicalJson([b.tool, b.args]);
}
