import type { CallOutcome, CallSettled, ProposedCall } from "@haft/agent";
import type { ChangeSummary } from "@haft/core";
import { renderForHuman, renderInline } from "@haft/text";
import { colourDiffLine } from "../ask/colour-diff.js";
import type { Colours } from "../output/colours.js";

/** What a screen knows of one call. */
export interface CallCard {
  readonly call: ProposedCall;
  /** The arguments it runs with: the model's, or those a person put in their place. */
  args: string;
  state: "proposed" | "asked" | "running" | "settled";
  startedAtMs?: number;
  /** The last thing it told while running. */
  progress?: string;
  /** The person who approved it has seen its diff. */
  isDiffShown?: boolean;
  settled?: CallSettled;
}

export function newCard(call: ProposedCall): CallCard {
  return {
    call,
    args: call.args === undefined ? call.rawArgs : JSON.stringify(call.args),
    state: "proposed",
  };
}

/** A call that has started, in one line, for where nothing can be drawn anew. */
export function startLine(card: CallCard, colours: Colours): string {
  return `${colours.cyan("▸")} ${title(card, colours)}`;
}

/** A call on its way: what it is, how long it takes, what it says. */
export function liveLines(card: CallCard, frame: string, colours: Colours): readonly string[] {
  const sign = card.state === "running" ? colours.cyan(frame) : colours.dim("○");
  const note = { proposed: "", asked: colours.yellow(" waits for you"), running: elapsed(card), settled: "" };
  const line = `${sign} ${title(card, colours)}${colours.dim(note[card.state])}`;
  return card.progress === undefined ? [line] : [line, `    ${colours.dim(renderInline(card.progress))}`];
}

/** What became of a call: mark, duration, what it changed, and the beginning of what it answered. */
export function settledText(card: CallCard, settled: CallSettled, colours: Colours): string {
  const { outcome, code, ms, effects } = settled;
  const why = outcome === "ok" ? "" : ` ${colours.dim(code ?? outcome)}`;
  const head = `${mark(outcome, colours)} ${title(card, colours)}${why} ${colours.dim(duration(ms))}`;
  const changes = effects.flatMap((effect) => changeLines(effect, card.isDiffShown === true, colours));
  const lines = changes.length > 0 ? changes : answerLines(settled, colours);
  return [head, ...lines.map((line) => `    ${line}`), ""].join("\n");
}

export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function title({ call, args }: CallCard, colours: Colours): string {
  return `${colours.bold(renderInline(call.tool, { maxChars: 80 }))} ${renderInline(args, { maxChars: MAX_ARGS_CHARS })}`;
}

const MAX_ARGS_CHARS = 200;

function elapsed({ startedAtMs }: CallCard): string {
  return startedAtMs === undefined ? "" : ` ${duration(performance.now() - startedAtMs)}`;
}

function mark(outcome: CallOutcome, colours: Colours): string {
  if (outcome === "ok") return colours.green("✓");
  if (outcome === "error") return colours.red("✗");
  return outcome === "unknown" ? colours.yellow("?") : colours.gray("⊘");
}

function changeLines(change: ChangeSummary, isShown: boolean, colours: Colours): readonly string[] {
  const { kind, path, from, diff } = change;
  const places = from === undefined ? renderInline(path) : `${renderInline(from)} -> ${renderInline(path)}`;
  const head = `${kind} ${places}`;
  if (isShown || diff === undefined) return [head];
  return [head, ...first(renderForHuman(diff).trimEnd().split("\n"), MAX_DIFF_LINES).map(coloured(colours))];
}

function coloured(colours: Colours): (line: string) => string {
  return (line) => colourDiffLine(line, colours);
}

function answerLines({ model }: CallSettled, colours: Colours): readonly string[] {
  const text = model.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
  const lines = renderForHuman(text).trimEnd().split("\n");
  return first(lines, MAX_ANSWER_LINES).map((line) => colours.dim(cut(line)));
}

const MAX_DIFF_LINES = 40;
const MAX_ANSWER_LINES = 8;
const MAX_LINE_CHARS = 160;

function cut(line: string): string {
  const characters = [...line];
  return characters.length <= MAX_LINE_CHARS ? line : `${characters.slice(0, MAX_LINE_CHARS - 1).join("")}…`;
}

function first(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more lines`];
}
