import { messageOf, ToolError } from "../error/tool-error.js";
import { keepsApproval } from "../runtime/keep-approval.js";
import type { ApprovalRequest } from "./approval.js";
import { type ApprovalAnswer, type Approver, isApproved } from "./approval-answer.js";
import type { ApprovalStore } from "./approval-store.js";
import { type ReadAnswer, readAnswer } from "./read-answer.js";
import type { RememberedGrants } from "./remembered-grants.js";
import type { WaitingApproval } from "./waiting-approval.js";

export interface WaitingParts {
  readonly store: ApprovalStore;
  readonly grants: RememberedGrants;
  readonly approver?: Approver | undefined;
  readonly timeoutMs: number;
}

/**
 * The calls of one runtime that wait for an answer. The first decision counts: from the approver,
 * from `decide`, from the timeout, or from a caller that gives up.
 */
export class WaitingApprovals {
  readonly #parts: WaitingParts;
  readonly #waiting = new Map<string, WaitingApproval>();
  #stopLooking: (() => void) | undefined;
  #renewedMs = 0;

  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  find(approvalId: string): WaitingApproval | undefined {
    return this.#waiting.get(approvalId);
  }

  all(): readonly WaitingApproval[] {
    return [...this.#waiting.values()];
  }

  /** Makes a request decidable, even before its call waits for it. */
  add(waiting: WaitingApproval): void {
    this.#waiting.set(waiting.id, waiting);
    this.#stopLooking ??= this.#startLooking();
  }

  async wait(approvalId: string, signal: AbortSignal): Promise<ApprovalAnswer> {
    const waiting = this.#waiting.get(approvalId);
    if (waiting === undefined) return { approved: false, failure: "stale" };
    const giveUp = () => void (keepsApproval(signal.reason) ? this.#leave(waiting) : this.withdraw(waiting));
    const timer = setTimeout(
      () => void this.conclude(waiting, { approved: false, failure: "timeout" }),
      Math.min(this.#parts.timeoutMs, MAX_TIMER_MS),
    );
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    else void this.#askApprover(waiting);
    try {
      const answer = await waiting.answer;
      if (!isApproved(answer) && waiting.thrown !== undefined) throw waiting.thrown;
      return answer;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      this.#remove(waiting);
    }
  }

  /** Returns false if another decider was first, here or in another process; that decision counts. */
  async conclude(waiting: WaitingApproval, answer: ReadAnswer): Promise<boolean> {
    if (!waiting.claim()) return false;
    const { store } = this.#parts;
    try {
      const isFirst = await store.decide(waiting.id, answer);
      await this.#finish(waiting, isFirst ? answer : (await store.decision(waiting.id))?.answer);
      return isFirst;
    } catch (cause) {
      await this.#giveUp(waiting, answer, cause);
      return true;
    }
  }

  /** Denies a request that no call waits for any longer, so that nobody is asked unnecessarily. */
  withdraw(waiting: WaitingApproval): Promise<boolean> {
    return this.conclude(waiting, { approved: false });
  }

  /** Saves the chosen grant, unless the answer may edit the arguments: the kernel compares those first. */
  async remember(request: ApprovalRequest, { remember, modifiedArgs }: ReadAnswer): Promise<void> {
    if (modifiedArgs !== undefined) return;
    const grant = request.grants.find(({ id }) => id === remember?.grant);
    if (remember !== undefined && grant !== undefined) await this.#parts.grants.save(grant, remember);
  }

  /** Resolves when no call waits any longer, after the runtime's calls were cancelled. */
  async idle(): Promise<void> {
    await Promise.all(this.all().map(({ answer }) => answer));
  }

  /** Ends the wait and leaves the request pending for a repeated call. */
  async #leave(waiting: WaitingApproval): Promise<void> {
    if (!waiting.claim()) return;
    await this.#parts.store.release(waiting.id).catch(() => {});
    waiting.settle({ approved: false });
  }

  #remove(waiting: WaitingApproval): void {
    this.#waiting.delete(waiting.id);
    if (this.#waiting.size > 0) return;
    this.#stopLooking?.();
    this.#stopLooking = undefined;
  }

  /**
   * An approver that fails denies the call. The error is reported, so that a defect does not look like
   * a decision; a ToolError is reported unchanged.
   */
  async #askApprover(waiting: WaitingApproval): Promise<void> {
    const { approver } = this.#parts;
    if (approver === undefined) return;
    const { request } = waiting.record;
    try {
      // A copy, so that the approver cannot change what is approved.
      const answer = await approver(structuredClone(request), waiting.over.signal);
      await this.conclude(waiting, readAnswer(answer, request, waiting.record));
    } catch (cause) {
      if (ToolError.is(cause) && !waiting.isClaimed) waiting.thrown = cause;
      const feedback = `the approver failed (${messageOf(cause)})`;
      await this.conclude(waiting, { approved: false, feedback });
    }
  }

  /** Other processes decide too. The store's hints make it fast; polling makes it reliable. */
  #startLooking(): () => void {
    const look = () => void this.#look();
    const timer = unreferenced(setInterval(look, LOOK_MS));
    const unwatch = this.#parts.store.watch(look);
    return () => {
      clearInterval(timer);
      unwatch();
    };
  }

  async #look(): Promise<void> {
    const isRenewed = Date.now() - this.#renewedMs < RENEW_MS;
    if (!isRenewed) this.#renewedMs = Date.now();
    const { store } = this.#parts;
    for (const waiting of this.all()) {
      const decision = await store.decision(waiting.id).catch(() => undefined);
      if (decision !== undefined && waiting.claim())
        await this.#finish(waiting, decision.answer).catch(() => waiting.settle({ approved: false }));
      else if (!isRenewed) await store.renew(waiting.id).catch(() => {});
    }
  }

  /** Settles the call once the decision and its grant are stored. */
  async #finish(waiting: WaitingApproval, answer: ReadAnswer = { approved: false }): Promise<void> {
    const { record } = waiting;
    await this.remember(record.request, answer);
    // Only the caller that takes the approval uses it: of two calls that waited for it, one runs.
    const isMine = await this.#parts.store.take(waiting.id);
    waiting.settle(isMine || !isApproved(answer) ? answer : { approved: false, failure: "stale" });
    if (answer.remember !== undefined) void this.#reconsider().catch(() => {});
  }

  /**
   * A denial holds regardless. An approval that could not be stored does not count, and the storage error is reported.
   */
  async #giveUp(waiting: WaitingApproval, answer: ReadAnswer, cause: unknown): Promise<void> {
    // The call ends here, so no process waits for the request.
    await this.#parts.store.take(waiting.id).catch(() => {});
    if (!isApproved(answer)) return waiting.settle(answer);
    if (ToolError.is(cause)) waiting.thrown = cause;
    const feedback = `the decision could not be stored (${messageOf(cause)})`;
    waiting.settle({ approved: false, feedback });
  }

  /** A grant that was just saved may answer other pending requests. */
  async #reconsider(): Promise<void> {
    for (const waiting of this.all()) {
      const grant = await this.#parts.grants.covering(waiting.record.request);
      if (grant === undefined) continue;
      void this.conclude(waiting, { approved: true, by: { how: "grant", who: grant.id } });
    }
  }
}

/** Keeps a timer from holding the process open. In browsers a timer is a number without `unref`. */
function unreferenced<Timer>(timer: Timer): Timer {
  (timer as { unref?(): void }).unref?.();
  return timer;
}

const LOOK_MS = 500;
/** How often this process renews its wait in the store. */
const RENEW_MS = 2_000;
// The longest a timer can be set to.
const MAX_TIMER_MS = 2 ** 31 - 1;
