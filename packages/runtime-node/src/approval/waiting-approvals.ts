import { type ApprovalAnswer, type ApprovalRequest, messageOf, ToolError } from "@haft/core";
import { stateError } from "../journal/state-error.js";
import { type Approver, type ReadAnswer, readResponse } from "./approval-response.js";
import type { ApprovalStore } from "./approval-store.js";
import type { RememberedGrants } from "./remembered-grants.js";
import type { WaitingApproval } from "./waiting-approval.js";

export interface WaitingParts {
  readonly store: ApprovalStore;
  readonly grants: RememberedGrants;
  readonly approver?: Approver | undefined;
  readonly timeoutMs: number;
}

/**
 * The calls of one runtime that wait for an answer. Each is decided by whoever is first: the
 * approver, `decide` from elsewhere, the clock, or the caller who gives up.
 */
export class WaitingApprovals {
  readonly #parts: WaitingParts;
  readonly #waiting = new Map<string, WaitingApproval>();

  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  /** By the id of its record, or the one its event carried. */
  find(approvalId: string): WaitingApproval | undefined {
    const known = this.#waiting.get(approvalId);
    return known ?? [...this.#waiting.values()].find(({ eventId }) => eventId === approvalId);
  }

  async wait(waiting: WaitingApproval, signal: AbortSignal): Promise<ApprovalAnswer> {
    this.#waiting.set(waiting.id, waiting);
    const giveUp = () => void this.conclude(waiting, { approved: false });
    const timer = setTimeout(
      () => void this.conclude(waiting, { approved: false, failure: "timeout" }),
      Math.min(this.#parts.timeoutMs, MAX_TIMER_MS),
    );
    const elsewhere = setInterval(() => void this.#lookElsewhere(waiting), LOOK_ELSEWHERE_MS).unref();
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    else void this.#askApprover(waiting);
    try {
      const answer = await waiting.answer;
      if (!answer.approved && waiting.thrown !== undefined) throw waiting.thrown;
      return answer;
    } finally {
      clearTimeout(timer);
      clearInterval(elsewhere);
      signal.removeEventListener("abort", giveUp);
      this.#waiting.delete(waiting.id);
    }
  }

  /** False when somebody else was first, here or in another process; then their decision counts. */
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

  async remember(request: ApprovalRequest, { remember }: ReadAnswer): Promise<void> {
    const grant = request.grants.find(({ id }) => id === remember?.grant);
    if (remember !== undefined && grant !== undefined) await this.#parts.grants.save(grant, remember);
  }

  /** Resolves when nothing waits any more: after the runtime's calls have been cancelled. */
  async idle(): Promise<void> {
    await Promise.all([...this.#waiting.values()].map(({ answer }) => answer));
  }

  /**
   * An approver that fails denies; what it threw is told, so that a defect does not look like a
   * decision. What it threw on purpose is told as it is.
   */
  async #askApprover(waiting: WaitingApproval): Promise<void> {
    const { approver } = this.#parts;
    if (approver === undefined) return;
    const { request } = waiting.record;
    try {
      // A copy: whoever is shown the request cannot change what is approved.
      const response = await approver(structuredClone(request), waiting.over.signal);
      await this.conclude(waiting, readResponse(response, request, waiting.record));
    } catch (cause) {
      if (ToolError.is(cause) && !waiting.isClaimed) waiting.thrown = cause;
      const feedback = `the approver failed (${messageOf(cause)})`;
      await this.conclude(waiting, { approved: false, feedback });
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
    const { record } = waiting;
    await this.remember(record.request, answer);
    // Who takes it may use it: two calls that waited for one approval do not both run.
    const isMine = await this.#parts.store.take(record);
    waiting.settle(isMine || !answer.approved ? answer : { approved: false, failure: "stale" });
    if (answer.remember !== undefined) this.#reconsider();
  }

  /** A refusal holds anyway; an approval that is not stored is none, and what the disk said is told. */
  async #giveUp(waiting: WaitingApproval, answer: ReadAnswer, cause: unknown): Promise<void> {
    // The call ends here, so nobody waits for this request any more.
    await this.#parts.store.take(waiting.record).catch(() => {});
    if (!answer.approved) return waiting.settle(answer);
    const failure = stateError(cause, "The decision could not be stored");
    if (ToolError.is(failure)) waiting.thrown = failure;
    const feedback = `the decision could not be stored (${messageOf(cause)})`;
    waiting.settle({ approved: false, feedback });
  }

  /** What was just remembered may answer others that wait. */
  #reconsider(): void {
    for (const waiting of this.#waiting.values()) {
      const isGranted = this.#parts.grants.covering(waiting.record.request) !== undefined;
      if (isGranted) void this.conclude(waiting, { approved: true });
    }
  }
}

const LOOK_ELSEWHERE_MS = 500;
// The longest a timer can be set to.
const MAX_TIMER_MS = 2 ** 31 - 1;
