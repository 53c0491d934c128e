import type { ToolError } from "@haft/core";
import type { ApprovalRecord } from "./approval-record.js";
import type { ReadAnswer } from "./approval-response.js";

/** One request that a call waits for. Claimed once, settled once. */
export class WaitingApproval {
  readonly record: ApprovalRecord;
  /** The id the kernel's event carried; another than the record's when a stored approval was taken up. */
  readonly eventId: string;
  readonly answer: Promise<ReadAnswer>;
  /** Aborts when the answer is known, so that a prompt can be taken off the screen. */
  readonly over = new AbortController();
  /** What the approver threw on purpose instead of answering, or why its answer could not be kept. */
  thrown: ToolError | undefined;
  #settle: (answer: ReadAnswer) => void = () => {};
  #isClaimed = false;

  constructor(record: ApprovalRecord, eventId: string) {
    this.record = record;
    this.eventId = eventId;
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

  /** True for the first who decides, whoever it is. */
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
