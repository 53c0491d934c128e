import type { RunEvent, StepEnded, StepFailed } from "@haft/agent";
import { renderInline } from "@haft/text";
import { fitColumns } from "../output/fit-columns.js";
import { messageRows } from "./message-rows.js";
import { OpenCards } from "./open-cards.js";
import type { RunTerminal } from "./run-terminal.js";
import { SpokenText } from "./spoken-text.js";
import { styledRows } from "./styled-rows.js";
import { ThoughtText } from "./thought-text.js";
import { FRAMES, WaitingRow } from "./waiting-row.js";

/**
 * Displays a run: text, calls as they start, their output, and results in call order. On a terminal the current
 * activity is redrawn; elsewhere output is only printed. Output from models, tools and files cannot control the
 * terminal.
 */
export class RunScreen {
  readonly #terminal: RunTerminal;
  readonly #text: SpokenText;
  readonly #cards: OpenCards;
  readonly #thought = new ThoughtText();
  readonly #waiting = new WaitingRow();
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `asks`: approvals are answered here, with the changes shown. */
  constructor(terminal: RunTerminal, { asks }: { readonly asks: boolean }) {
    this.#terminal = terminal;
    this.#text = new SpokenText(terminal);
    this.#cards = new OpenCards(terminal, { asks });
    if (terminal.isLive) this.#timer = setInterval(() => this.#tick(), FRAME_MS).unref();
  }

  show(event: RunEvent): void {
    switch (event.type) {
      case "run.started":
        this.#note(`session ${event.runId} as ${event.role} in ${event.workspace}`);
        break;
      case "run.resumed":
        this.#note("continuing where the run stopped");
        break;
      case "message.user":
        this.#showMessage(event.text);
        break;
      case "compaction.requested":
        this.#note("the conversation will be summarized before the next turn");
        break;
      case "context.compacted":
        this.#note(compacted(event));
        break;
      case "run.cancelled":
        this.#note(`stopping: ${event.reason ?? event.why}`);
        break;
      case "run.ended":
        this.#clear();
        break;
      default:
        this.#showTurn(event);
    }
    this.#redraw();
  }

  #showTurn(event: RunEvent): void {
    switch (event.type) {
      case "step.started":
        this.#waiting.start({ what: event.attempt > 1 ? `thinking, attempt ${event.attempt}` : "thinking" });
        break;
      case "retry.waiting":
        this.#waiting.start({ what: `attempt ${event.attempt}`, untilMs: performance.now() + event.ms });
        break;
      case "reasoning.delta":
        this.#thought.add(event.delta);
        break;
      case "text.delta":
        this.#thought.clear();
        this.#waiting.start({ what: "writing" });
        if (this.#terminal.isLive) this.#text.add(event.delta);
        break;
      case "args.delta":
        this.#waiting.start({ what: `about to call ${event.tool}` });
        break;
      case "step.ended":
        this.#turnEnded(event);
        break;
      case "step.failed":
        this.#turnFailed(event);
        break;
      default:
        this.#cards.observe(event);
    }
  }

  /** Hides open calls until the next event, because another process works on them. */
  hideOpenCalls(): void {
    this.#terminal.draw(() => []);
  }

  /** Erases redrawn rows; printed text stays. */
  end(): void {
    clearInterval(this.#timer);
    this.#clear();
    this.#terminal.end();
  }

  #showMessage(text: string): void {
    const { colours, columns } = this.#terminal;
    const rows = messageRows(text, columns);
    this.#terminal.gap();
    this.#terminal.print(`${rows.map((row) => colours.bold(row)).join("\n")}\n\n`);
  }

  #turnEnded({ text, calls }: StepEnded): void {
    this.#answered();
    // Text that was not streamed and ends the run is the result, which goes to standard output.
    const { isTerminal, isReplay } = this.#terminal;
    if (!this.#text.hasSpoken && text !== "" && (calls.length > 0 || isTerminal || isReplay))
      this.#text.add(text);
    this.#text.end();
    if (text.includes("\n") && calls.length > 0) this.#terminal.gap();
    this.#cards.open(calls);
  }

  #turnFailed({ error, willRetry, retryAfterMs }: StepFailed): void {
    this.#answered();
    this.#text.end();
    const wait = retryAfterMs === undefined ? "" : ` in ${Math.ceil(retryAfterMs / 1000)} s`;
    // A full context is compacted. Where it cannot be, the run ends with this error.
    const next = error.code === "CONTEXT_FULL" ? "" : willRetry ? `; trying again${wait}` : "; giving up";
    const text = `${error.code}: ${error.message.replace(/\.$/, "")}${next}`;
    const { colours, width } = this.#terminal;
    const line = `! ${renderInline(text, { maxChars: 500 })}`;
    const rows = styledRows([{ text: line, paint: colours.yellow }], {
      columns: width,
      first: "",
      rest: "  ",
    });
    this.#terminal.print(`${rows.join("\n")}\n`);
  }

  #note(text: string): void {
    const { colours, width } = this.#terminal;
    const line = renderInline(text, { maxChars: 500 });
    this.#terminal.print(`${colours.dim(fitColumns(line, width))}\n`);
  }

  #answered(): void {
    this.#waiting.stop();
    this.#thought.clear();
  }

  #clear(): void {
    this.#answered();
    this.#text.end();
    this.#cards.open([]);
  }

  #tick(): void {
    this.#frame += 1;
    if (this.#waiting.isShown || this.#cards.isRunning) this.#redraw();
  }

  #redraw(): void {
    this.#terminal.draw(() => this.#rows());
  }

  #rows(): readonly string[] {
    const frame = FRAMES[this.#frame % FRAMES.length] ?? "";
    const rows = [...this.#text.rows(), ...this.#cards.rows(frame)];
    const { colours, columns } = this.#terminal;
    const waiting = this.#waiting.rows(frame, this.#terminal);
    if (waiting.length === 0) return rows;
    return [...rows, ...waiting, ...this.#thought.rows(columns).map((row) => colours.dim(row))];
  }
}

const FRAME_MS = 120;

function compacted({ cleared, summary }: Extract<RunEvent, { readonly type: "context.compacted" }>): string {
  return summary === undefined
    ? `context: ${cleared.length === 1 ? "1 older result is" : `${cleared.length} older results are`} no longer sent to the model`
    : "context: a summary replaces the conversation so far";
}
