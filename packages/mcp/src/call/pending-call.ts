import type { ApprovalAnswer, ApprovalRequest, ToolResult } from "@haft/core";
import type { Asker } from "../approval/elicitation-gate.js";
import { readAnswer } from "../approval/read-answer.js";

export interface CallRun {
  readonly callId: string;
  /** Left undefined when there is nobody to ask. */
  readonly asker: Asker | undefined;
  readonly signal: AbortSignal;
}

/** How far a call got: to its end, or to a question a person must answer. */
export type CallStop = { readonly result: ToolResult } | { readonly question: ApprovalRequest };

/** One runtime call that may stop for a question in one request of the client and go on in a later one. */
export class PendingCall {
  readonly id = crypto.randomUUID();
  readonly #abort = new AbortController();
  readonly #timeoutMs: number;
  readonly #result: Promise<ToolResult>;
  #question: { readonly request: ApprovalRequest; answer(answer: ApprovalAnswer): void } | undefined;
  #asked: () => void = () => {};

  constructor(timeoutMs: number, run: (setting: CallRun) => Promise<ToolResult>) {
    this.#timeoutMs = timeoutMs;
    this.#result = run({ callId: this.id, asker: this.#ask, signal: this.#abort.signal });
  }

  /** Waits until the call is over or asks; cancelling this request cancels the call. */
  async advance(signal: AbortSignal): Promise<CallStop> {
    const cancel = () => this.#abort.abort(signal.reason);
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const question = this.#question ?? (await this.#nextStop());
      return question === undefined ? { result: await this.#result } : { question: question.request };
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  /** Takes what the client sent back. An answer that comes when nothing is asked changes nothing. */
  answer(response: unknown): void {
    const question = this.#question;
    question?.answer(readAnswer(response, question.request));
  }

  async #nextStop() {
    const asked = new Promise<void>((resolve) => {
      this.#asked = resolve;
    });
    await Promise.race([asked, this.#result]);
    return this.#question;
  }

  readonly #ask: Asker = (request, signal) =>
    new Promise((resolve) => {
      const settle = (answer: ApprovalAnswer) => {
        clearTimeout(timer);
        this.#question = undefined;
        resolve(answer);
      };
      const timer = setTimeout(() => settle({ approved: false, failure: "timeout" }), this.#timeoutMs);
      signal.addEventListener("abort", () => settle({ approved: false }), { once: true });
      this.#question = { request, answer: settle };
      this.#asked();
    });
}
