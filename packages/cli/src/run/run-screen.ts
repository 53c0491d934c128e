import type { CallSettled, RunEvent, StepEnded, StepFailed } from "@haft/agent";
import { renderForHuman, renderInline } from "@haft/text";
import { type CallCard, liveLines, newCard, settledText, startLine } from "./call-card.js";
import type { RunTerminal } from "./run-terminal.js";
import { StreamedText } from "./streamed-text.js";

/**
 * A run as a person follows it: each call as it starts, its progress, and its result in the order the
 * model asked for them. On a terminal what is under way is drawn anew; elsewhere it is only printed.
 * Nothing a model, a tool or a file says can steer the terminal.
 */
export class RunScreen {
  readonly #terminal: RunTerminal;
  readonly #asks: boolean;
  readonly #text = new StreamedText();
  #cards: CallCard[] = [];
  #thinking: string | undefined;
  #hasSpoken = false;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `asks`: a person is asked here, and shown what would change when they are. */
  constructor(terminal: RunTerminal, { asks }: { readonly asks: boolean }) {
    this.#terminal = terminal;
    this.#asks = asks;
    if (terminal.isLive) this.#timer = setInterval(() => this.#tick(), FRAME_MS).unref();
  }

  show(event: RunEvent): void {
    switch (event.type) {
      case "run.started":
        this.#note(`run ${event.runId} as ${event.role} in ${event.workspace}`);
        break;
      case "run.resumed":
        this.#note("the run goes on where it was left");
        break;
      case "message.user":
        this.#terminal.print(`${this.#terminal.colours.bold(`› ${renderForHuman(event.text)}`)}\n\n`);
        break;
      case "step.started":
        this.#think(event.attempt > 1 ? `thinking, attempt ${event.attempt}` : "thinking");
        break;
      case "text.delta":
        this.#say(event.delta);
        break;
      case "args.delta":
        this.#think(`about to call ${event.tool}`);
        break;
      case "step.ended":
        this.#turnEnded(event);
        break;
      case "step.failed":
        this.#turnFailed(event);
        break;
      case "context.compacted":
        this.#note(`${event.cleared.length} older results are no longer sent to the model`);
        break;
      case "run.cancelled":
        this.#note(`stopping: ${event.reason ?? event.why}`);
        break;
      case "run.ended":
        this.#clear();
        break;
      default:
        this.#showCall(event);
    }
  }

  /** Takes away what was drawn; what was printed stays. */
  end(): void {
    clearInterval(this.#timer);
    this.#clear();
  }

  #showCall(event: RunEvent): void {
    if (!("callId" in event)) return;
    const card = this.#cards.find(({ call }) => call.callId === event.callId);
    if (card === undefined) return;
    if (event.type === "approval.requested" && this.#asks) {
      card.state = "asked";
      card.isDiffShown = event.approval.changes.length > 0;
    }
    if (event.type === "approval.decided" && event.answer.modifiedArgs !== undefined) {
      card.args = JSON.stringify(event.answer.modifiedArgs);
      card.isDiffShown = false;
    }
    if (event.type === "call.started") this.#started(card);
    if (event.type === "call.progress") card.progress = lastLine(event.progress.message);
    if (event.type === "call.settled") this.#settled(card, event);
    this.#redraw();
  }

  #started(card: CallCard): void {
    const { isLive, colours } = this.#terminal;
    card.state = "running";
    card.startedAtMs ??= performance.now();
    if (!isLive) this.#terminal.print(`${startLine(card, colours)}\n`);
  }

  /** Those that are done before an earlier one wait for it, so that the order is the model's. */
  #settled(card: CallCard, settled: CallSettled): void {
    card.state = "settled";
    card.settled = settled;
    for (let next = this.#cards[0]; next?.settled !== undefined; next = this.#cards[0]) {
      this.#cards.shift();
      this.#terminal.print(settledText(next, next.settled, this.#terminal.colours));
    }
  }

  #turnEnded({ text, calls }: StepEnded): void {
    this.#thinking = undefined;
    const isLast = calls.length === 0;
    if (this.#hasSpoken) this.#terminal.write(this.#text.end());
    // Where it was not shown as it came, the last of it is the result and goes to standard output.
    else if (text !== "" && !isLast) this.#terminal.print(`${renderForHuman(text)}\n`);
    this.#hasSpoken = false;
    this.#terminal.endText();
    this.#cards = calls.map(newCard);
    this.#redraw();
  }

  #turnFailed({ error, willRetry, retryAfterMs }: StepFailed): void {
    this.#thinking = undefined;
    this.#hasSpoken = false;
    const wait = retryAfterMs === undefined ? "" : ` in ${Math.ceil(retryAfterMs / 1000)} s`;
    const told = `${error.code}: ${error.message}; ${willRetry ? `trying again${wait}` : "giving up"}`;
    const { colours } = this.#terminal;
    this.#terminal.print(`${colours.yellow(`! ${renderInline(told, { maxChars: 500 })}`)}\n`);
  }

  #think(what: string): void {
    if (this.#hasSpoken) return;
    this.#thinking = renderInline(what, { maxChars: 80 });
    this.#redraw();
  }

  /** Words are written where they stay: a long answer would not fit into what is drawn anew. */
  #say(delta: string): void {
    if (!this.#terminal.isLive) return;
    this.#thinking = undefined;
    this.#hasSpoken = true;
    this.#terminal.write(this.#text.add(delta));
  }

  #note(text: string): void {
    this.#terminal.print(`${this.#terminal.colours.dim(renderInline(text, { maxChars: 500 }))}\n`);
  }

  #clear(): void {
    this.#thinking = undefined;
    this.#cards = [];
    this.#redraw();
    this.#terminal.endText();
  }

  #tick(): void {
    this.#frame += 1;
    if (this.#thinking !== undefined || this.#cards.some(({ state }) => state === "running")) this.#redraw();
  }

  #redraw(): void {
    const { colours } = this.#terminal;
    const frame = FRAMES[this.#frame % FRAMES.length] ?? "";
    const open = this.#cards.filter(({ state }) => state !== "settled");
    const thinking = this.#thinking === undefined ? [] : [`${this.#thinking}…`];
    this.#terminal.draw([
      ...open.flatMap((card) => liveLines(card, frame, colours)),
      ...thinking.map((what) => `${colours.cyan(frame)} ${colours.dim(what)}`),
    ]);
  }
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
