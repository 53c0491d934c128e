import { setTimeout } from "node:timers/promises";
import type { ApprovalRequested, RunEvent, RunHandle } from "@haft/agent";
import { accountName } from "@haft/agent/node";
import { renderInline } from "@haft/text";
import type { AskOptions } from "../ask/ask-in-terminal.js";
import { type CliIo, questionIo } from "../cli-io.js";
import { knownError } from "../output/report-error.js";
import type { RunTerminal } from "./run-terminal.js";

interface TerminalApproverParts {
  readonly io: CliIo;
  readonly terminal: Pick<RunTerminal, "ask" | "print">;
  /** Called on Ctrl-C during a question. */
  onInterrupt(): void;
  /** Called on Esc during a question. */
  onEscape?(): void;
}

/** Asks the approval questions of a run one after the other and submits the answers. */
export class TerminalApprover {
  readonly #parts: TerminalApproverParts;
  readonly #waiting: ApprovalRequested[] = [];
  /** The calls of the last step, in the model's order. */
  #order: readonly string[] = [];
  #asked: { readonly callId: string; readonly over: AbortController } | undefined;
  /** How many of the questions in the current batch have been asked. */
  #askedTogether = 0;
  #run: Pick<RunHandle, "decide"> | undefined;

  constructor(parts: TerminalApproverParts) {
    this.#parts = parts;
  }

  attach(run: Pick<RunHandle, "decide">): void {
    this.#run = run;
    void this.#next();
  }

  observe(event: RunEvent): void {
    if (event.type === "step.ended") this.#order = event.calls.map(({ callId }) => callId);
    if (event.type === "approval.requested") {
      this.#waiting.push(event);
      void this.#next();
    }
    if (event.type === "approval.decided" || event.type === "call.settled") this.#withdraw(event.callId);
  }

  /** Withdraws a question that was answered elsewhere, timed out or was cancelled. */
  #withdraw(callId: string): void {
    if (this.#asked?.callId === callId) this.#asked.over.abort();
    const at = this.#waiting.findIndex((request) => request.callId === callId);
    if (at !== -1) this.#waiting.splice(at, 1);
  }

  async #next(): Promise<void> {
    if (this.#run === undefined || this.#asked !== undefined || this.#waiting.length === 0) return;
    const over = new AbortController();
    this.#asked = { callId: "", over };
    // Waits for all requests of one step, to ask in call order with a correct count.
    if (this.#askedTogether === 0) await setTimeout(GATHER_MS);
    this.#waiting.sort((a, b) => this.#order.indexOf(a.callId) - this.#order.indexOf(b.callId));
    const next = this.#waiting.shift();
    if (next !== undefined) {
      this.#asked = { callId: next.callId, over };
      this.#askedTogether += 1;
      const run = this.#run;
      await this.#parts.terminal.ask((isApart) => this.#ask(next, { signal: over.signal, isApart }, run));
    }
    this.#asked = undefined;
    if (this.#waiting.length === 0) this.#askedTogether = 0;
    void this.#next();
  }

  async #ask(
    { approval }: ApprovalRequested,
    { signal, isApart }: Pick<AskOptions, "signal" | "isApart">,
    run: Pick<RunHandle, "decide">,
  ): Promise<void> {
    const { io, onInterrupt, onEscape } = this.#parts;
    const { askInTerminal } = await import("../ask/ask-in-terminal.js");
    const answer = await askInTerminal(approval, questionIo(io), {
      signal,
      onInterrupt,
      onEscape,
      inRun: true,
      isApart,
      position: { index: this.#askedTogether, total: this.#askedTogether + this.#waiting.length },
    });
    if (signal.aborted) return;
    try {
      await run.decide(approval.stepId, answer, accountName());
    } catch (error) {
      const { code, message } = knownError(error);
      // Decided elsewhere or expired; the other answer counts.
      if (code === "ALREADY_DECIDED" || code === "APPROVAL_NOT_FOUND") return;
      this.#parts.terminal.print(`${renderInline(`${code}: ${message}`)}\n`);
    }
  }
}

const GATHER_MS = 50;
