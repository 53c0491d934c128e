import {
  automaticAnswer,
  describeMode,
  type RunEvent,
  type RunHandle,
  type RunOutcome,
  type SessionMode,
} from "@haft/agent";
import { renderForHuman, renderInline } from "@haft/text";
import { fitColumns } from "../output/fit-columns.js";
import { duration } from "../run/call-card.js";
import { RunScreen } from "../run/run-screen.js";
import { RunTally } from "../run/run-tally.js";
import { RunTerminal } from "../run/run-terminal.js";
import { wrappedLines } from "../run/styled-rows.js";
import { TerminalApprover } from "../run/terminal-approver.js";
import { Composer, type ComposerParts } from "./composer.js";
import type { SessionWork } from "./session-work.js";
import { SessionMeter, statusLine } from "./status-line.js";

interface SessionViewParts extends Omit<ComposerParts, "changed"> {
  readonly work: SessionWork;
  mode(): SessionMode;
}

/** Displays a session and reads the user's input. */
export class SessionView {
  readonly #parts: SessionViewParts;
  readonly #terminal: RunTerminal;
  readonly #screen: RunScreen;
  readonly #composer: Composer;
  readonly #approver: TerminalApprover;
  #meter: SessionMeter;
  #tally = new RunTally();
  #handle: RunHandle | undefined;
  #startedAtMs: number | undefined;
  /** The number of the last event on the screen. */
  #shownSeq = 0;
  readonly #clock: NodeJS.Timeout;
  #hasEnded = false;

  constructor(parts: SessionViewParts) {
    const { io } = parts;
    this.#parts = parts;
    this.#terminal = new RunTerminal(io);
    this.#screen = new RunScreen(this.#terminal, { asks: true });
    this.#composer = new Composer({ ...parts, changed: () => this.refresh() });
    this.#meter = new SessionMeter(parts.work.settings.prices);
    this.#approver = new TerminalApprover({
      io,
      terminal: {
        ask: (work) => this.#terminal.ask((isApart) => this.#withoutComposer(() => work(isApart))),
        print: (text) => this.#terminal.print(text),
      },
      onInterrupt: () => parts.press("interrupt"),
      onEscape: () => parts.press("escape"),
    });
    this.#terminal.setFooter(() => this.#footer());
    this.#composer.resume();
    this.#clock = setInterval(() => this.#startedAtMs !== undefined && this.refresh(), 1000).unref();
  }

  get hasDraft(): boolean {
    return !this.#composer.isEmpty;
  }

  get columns(): number {
    return this.#terminal.columns;
  }

  get cost(): string {
    return this.#meter.describe();
  }

  clearDraft(): void {
    this.#composer.clear();
  }

  /** Shows those events of a continued session that were not shown yet. */
  recall(events: readonly RunEvent[]): void {
    for (const event of events.filter(({ seq }) => seq > this.#shownSeq)) {
      this.#shownSeq = event.seq;
      if (event.type === "message.user") this.#composer.remember(event.text);
      this.#meter.observe(event);
      this.#screen.show(event);
    }
  }

  /** Hides calls that another process works on until `recall` shows how they went on. */
  hideOpenCalls(): void {
    this.#screen.hideOpenCalls();
  }

  observe(event: RunEvent): void {
    this.#shownSeq = event.seq;
    this.#tally.observe(event);
    this.#meter.observe(event);
    this.#screen.show(event);
    if (event.type === "approval.requested" && this.#answers(event)) return;
    this.#approver.observe(event);
  }

  /** Follows one turn to its end. */
  async follow(handle: RunHandle): Promise<RunOutcome> {
    this.#handle = handle;
    this.#tally = new RunTally();
    this.#startedAtMs = performance.now();
    this.#approver.attach(handle);
    const outcome = await handle.done;
    this.#handle = undefined;
    this.#startedAtMs = undefined;
    this.#terminal.gap();
    this.#terminal.print(this.#tally.describe(outcome, this.#terminal));
    return outcome;
  }

  /** Repeats a command above its output, like messages. */
  echo(command: string): void {
    this.#terminal.gap();
    const { colours, columns } = this.#terminal;
    this.#terminal.print(`${colours.bold(`› ${fitColumns(renderInline(command), columns - 2)}`)}\n`);
  }

  /** Prints a note after a blank line. */
  remark(text: string): void {
    this.#terminal.gap();
    this.note(text);
  }

  /** Prints a note from the session itself. */
  note(text: string): void {
    const { columns } = this.#terminal;
    const { dim } = this.#terminal.colours;
    const rows = wrappedLines(renderForHuman(text), columns, dim);
    this.#terminal.print(`${rows.join("\n")}\n`);
    this.#terminal.refresh();
  }

  refresh(): void {
    this.#terminal.refresh();
  }

  /** Leaves the terminal to something else, such as a pager, and the keyboard with it. */
  lend<T>(work: () => Promise<T>): Promise<T> {
    return this.#terminal.lend(() => this.#withoutComposer(work));
  }

  end(): void {
    this.#hasEnded = true;
    clearInterval(this.#clock);
    this.#screen.end();
    this.#composer.suspend();
  }

  async #withoutComposer<T>(work: () => Promise<T>): Promise<T> {
    this.#composer.suspend();
    try {
      return await work();
    } finally {
      if (!this.#hasEnded) this.#composer.resume();
    }
  }

  #answers({ approval }: Extract<RunEvent, { readonly type: "approval.requested" }>): boolean {
    const answer = automaticAnswer(this.#parts.mode(), approval);
    if (answer === undefined) return false;
    this.#handle?.decide(approval.stepId, answer).catch(() => {
      // Already decided elsewhere; that answer counts.
    });
    return true;
  }

  #footer(): readonly string[] {
    const { columns, colours } = this.#terminal;
    const { work, mode } = this.#parts;
    const isBusy = this.#startedAtMs !== undefined;
    const status = statusLine(
      [
        describeMode(mode()),
        this.#meter.context(work.limits),
        work.settings.model,
        this.#meter.cost,
        this.#startedAtMs === undefined ? undefined : seconds(performance.now() - this.#startedAtMs),
        isBusy ? "Esc interrupts" : "/help",
      ],
      columns,
    );
    return ["", colours.dim(status), ...this.#composer.rows(columns, colours)];
  }
}

function seconds(ms: number): string {
  return ms < 60_000 ? `${Math.floor(ms / 1000)} s` : duration(ms);
}
