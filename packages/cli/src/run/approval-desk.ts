import type { ApprovalRequested, RunEvent, RunHandle } from "@haft/agent";
import { renderInline } from "@haft/text";
import type { CliIo } from "../cli-io.js";
import { knownError } from "../output/report-error.js";
import type { RunTerminal } from "./run-terminal.js";

export interface DeskParts {
  readonly io: CliIo;
  readonly terminal: Pick<RunTerminal, "hold" | "release" | "print">;
  /** Ctrl-C while a question stands. */
  onInterrupt(): void;
}

/** Puts the questions of a run to the person at the terminal, one after the other, and hands in the answers. */
export class ApprovalDesk {
  readonly #parts: DeskParts;
  readonly #waiting: ApprovalRequested[] = [];
  #asked: { readonly callId: string; readonly over: AbortController } | undefined;
  #run: Pick<RunHandle, "decide"> | undefined;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  attach(run: Pick<RunHandle, "decide">): void {
    this.#run = run;
    void this.#next();
  }

  hear(event: RunEvent): void {
    if (event.type === "approval.requested") {
      this.#waiting.push(event);
      void this.#next();
    }
    if (event.type === "approval.decided" || event.type === "call.settled") this.#withdraw(event.callId);
  }

  /** Answered elsewhere, timed out or cancelled: nobody needs to be asked any more. */
  #withdraw(callId: string): void {
    if (this.#asked?.callId === callId) this.#asked.over.abort();
    const at = this.#waiting.findIndex((request) => request.callId === callId);
    if (at !== -1) this.#waiting.splice(at, 1);
  }

  async #next(): Promise<void> {
    if (this.#run === undefined || this.#asked !== undefined) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    const over = new AbortController();
    this.#asked = { callId: next.callId, over };
    this.#parts.terminal.hold();
    try {
      await this.#ask(next, over.signal, this.#run);
    } finally {
      this.#asked = undefined;
      this.#parts.terminal.release();
    }
    void this.#next();
  }

  async #ask(
    { approval }: ApprovalRequested,
    signal: AbortSignal,
    run: Pick<RunHandle, "decide">,
  ): Promise<void> {
    const { io, onInterrupt } = this.#parts;
    const { askInTerminal } = await import("../ask/ask-in-terminal.js");
    const answer = await askInTerminal(approval, io, { signal, onInterrupt, canStop: true });
    if (signal.aborted) return;
    try {
      await run.decide(approval.stepId, answer);
    } catch (error) {
      const { code, message } = knownError(error);
      // Somebody else was faster, or it is too late: the question is gone, and theirs is the answer that counts.
      if (code === "ALREADY_DECIDED" || code === "APPROVAL_NOT_FOUND") return;
      this.#parts.terminal.print(`${renderInline(`${code}: ${message}`)}\n`);
    }
  }
}
