import type { ToolError } from "../error/tool-error.js";
import type { ApprovalRecord } from "./approval-store.js";
import type { ReadAnswer } from "./read-answer.js";

/** One request that a call waits for. It is claimed once and settled once. */
export class WaitingApproval {
  readonly record: ApprovalRecord;
  readonly answer: Promise<ReadAnswer>;
  /** Aborts when the answer is known, so that a prompt can be taken off the screen. */
  readonly over = new AbortController();
  /** The ToolError that the approver threw instead of answering, or that storing its answer caused. */
  thrown: ToolError | undefined;
  #settle: (answer: ReadAnswer) => void = () => {};
  #isClaimed = false;

  constructor(record: ApprovalRecord) {
    this.record = record;
    this.answer = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get id(): string {
    return this.record.request.stepId;
  }

  get isClaimed(): boolean {
    return this.#isClaimed;
  }

  /** Returns true to exactly one caller. */
  claim(): boolean {
    if (this.#isClaimed) return false;
    this.#isClaimed = true;
    return true;
  }

  settle(answer: ReadAnswer): void {
    this.over.abort();
    this.#settle(answer);
  }
}
