import type { CallSettled, ProposedCall, RunEvent } from "@haft/agent";
import {
  addProgress,
  type CallCard,
  type CardStyle,
  liveLines,
  newCard,
  settledText,
  startLine,
} from "./call-card.js";
import { describeArguments } from "./describe-arguments.js";
import type { RunTerminal } from "./run-terminal.js";

/** The calls of one turn, until each has been printed with its result. */
export class OpenCards {
  readonly #terminal: RunTerminal;
  readonly #asks: boolean;
  #cards: CallCard[] = [];

  constructor(terminal: RunTerminal, { asks }: { readonly asks: boolean }) {
    this.#terminal = terminal;
    this.#asks = asks;
  }

  get isRunning(): boolean {
    return this.#cards.some(({ state }) => state === "running");
  }

  open(calls: readonly ProposedCall[]): void {
    this.#cards = calls.map(newCard);
  }

  rows(frame: string): readonly string[] {
    const open = this.#cards.filter(({ state }) => state !== "settled");
    return open.flatMap((card) => liveLines(card, frame, this.#style));
  }

  observe(event: RunEvent): void {
    if (!("callId" in event)) return;
    const card = this.#cards.find(({ call }) => call.callId === event.callId);
    if (card === undefined) return;
    if (event.type === "approval.requested" && this.#asks) {
      card.state = "asked";
      card.isDiffShown = event.approval.changes.length > 0;
    }
    if (event.type === "approval.decided" && event.answer.modifiedArgs !== undefined) {
      card.args = describeArguments(event.answer.modifiedArgs as Readonly<Record<string, unknown>>);
      card.isDiffShown = false;
    }
    // A rule approved it, so the user has not seen the diff.
    if (event.type === "approval.decided" && event.answer.by?.how === "rule") card.isDiffShown = false;
    this.#clock(card, event);
    if (event.type === "call.started") this.#started(card);
    if (event.type === "call.progress") card.progress = addProgress(card.progress, event.progress.message);
    if (event.type === "call.settled") this.#settled(card, event);
  }

  /** Counts the run time of a call, without the time it waits for approval. */
  #clock(card: CallCard, event: RunEvent): void {
    const at = Date.parse(event.at);
    if (event.type === "call.started") card.clock = { sinceMs: at, ranMs: 0 };
    if (card.clock === undefined) return;
    const { sinceMs, ranMs } = card.clock;
    if (event.type === "approval.requested" || event.type === "call.settled")
      card.clock = { sinceMs: at, ranMs: ranMs + Math.max(0, at - sinceMs) };
    if (event.type === "approval.decided") card.clock = { sinceMs: at, ranMs };
  }

  #started(card: CallCard): void {
    card.state = "running";
    card.startedAtMs ??= performance.now();
    const { isLive, isReplay } = this.#terminal;
    if (!isLive && !isReplay) this.#terminal.print(`${startLine(card, this.#style)}\n`);
  }

  /** Holds back results until earlier calls have settled, to keep the model's order. */
  #settled(card: CallCard, settled: CallSettled): void {
    card.state = "settled";
    card.settled = settled;
    for (let next = this.#cards[0]; next?.settled !== undefined; next = this.#cards[0]) {
      this.#cards.shift();
      this.#terminal.print(settledText(next, next.settled, this.#style));
    }
  }

  get #style(): CardStyle {
    const { colours, width: columns } = this.#terminal;
    return { colours, columns };
  }
}
