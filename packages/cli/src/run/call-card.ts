import type { CallOutcome, CallSettled, ProposedCall } from "@haft/agent";
import type { ChangeSummary } from "@haft/core";
import { renderForHuman, renderInline, wrapColumns } from "@haft/text";
import { colourDiffLine } from "../ask/colour-diff-line.js";
import type { Colours } from "../output/colours.js";
import { fitColumns } from "../output/fit-columns.js";
import { describeArguments } from "./describe-arguments.js";
import { wrappedLines } from "./styled-rows.js";

export interface CallCard {
  readonly call: ProposedCall;
  /** The arguments in readable form: the model's, or those an approver replaced them with. */
  args: string;
  state: "proposed" | "asked" | "running" | "settled";
  startedAtMs?: number;
  /** Run time according to event timestamps, up to `sinceMs`. */
  clock?: { readonly sinceMs: number; readonly ranMs: number };
  /** The end of its output while running. */
  progress: string;
  /** Whether the approver has seen the diff. */
  isDiffShown?: boolean;
  settled?: CallSettled;
}

export interface CardStyle {
  readonly colours: Colours;
  readonly columns: number;
}

export function newCard(call: ProposedCall): CallCard {
  const args = call.args === undefined ? call.rawArgs : describeArguments(call.args);
  return { call, args, state: "proposed", progress: "" };
}

/** Describes a started call in one line, for output that cannot be redrawn. */
export function startLine(card: CallCard, style: CardStyle): string {
  return `${style.colours.cyan("▸")} ${title(card, style, 2)}`;
}

/** Describes a running call: title, elapsed time and latest output. */
export function liveLines(card: CallCard, frame: string, style: CardStyle): readonly string[] {
  const { colours, columns } = style;
  const sign = card.state === "running" ? colours.cyan(frame) : colours.dim("○");
  const note = { proposed: "", asked: " waiting for you", running: elapsed(card), settled: "" }[card.state];
  const line = `${sign} ${title(card, style, 2 + note.length)}${colours.dim(note)}`;
  const output = lastLines(card.progress).map(
    (text) => `    ${colours.dim(fitColumns(renderInline(text), columns - 4))}`,
  );
  return [line, ...output];
}

/**
 * Adds output of a running call. Commands report pieces of text with arbitrary boundaries. Other tools report their
 * current activity without a line break, which replaces the previous report.
 */
export function addProgress(printed: string, message: string): string {
  const isWhole = message.includes("\n") || printed.endsWith("\n") || printed === "";
  const before = isWhole ? printed : printed.slice(0, printed.lastIndexOf("\n") + 1);
  return (before + message).slice(-MAX_LIVE_CHARS);
}

function lastLines(printed: string): readonly string[] {
  const text = printed.trimEnd();
  if (text === "") return [];
  const lines = text.split(/\r?\n/).slice(-MAX_LIVE_LINES);
  // A progress bar writes its line again after each carriage return.
  return lines.map((line) => line.slice(line.lastIndexOf("\r") + 1));
}

const MAX_LIVE_LINES = 3;
const MAX_LIVE_CHARS = 2_000;

/** Describes a settled call: outcome, duration, changes and an excerpt of the output. */
export function settledText(card: CallCard, settled: CallSettled, style: CardStyle): string {
  const { colours, columns } = style;
  const why = reason(settled);
  const time = duration(Math.min(settled.ms, card.clock?.ranMs ?? settled.ms));
  const room = 2 + (why === "" ? 0 : why.length + 1) + time.length + 1;
  const told = why === "" ? "" : ` ${colours.red(why)}`;
  const head = `${mark(settled, colours)} ${title(card, style, room)}${told} ${colours.dim(time)}`;
  const inner = { colours, columns: columns - 4 };
  const changes = settled.effects.flatMap((effect) => changeLines(effect, card.isDiffShown === true, inner));
  const answer = changes.length > 0 && !hasFailed(settled) ? [] : answerLines(settled, inner);
  return [head, ...[...changes, ...answer].map((line) => `    ${line}`), ""].join("\n");
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Returns name and arguments, truncated to leave `room` columns free. */
function title({ call, args }: CallCard, { colours, columns }: CardStyle, room: number): string {
  const name = renderInline(call.tool, { maxChars: 80 });
  const left = Math.min(MAX_ARGS_CHARS, columns - room - name.length - 1);
  if (args === "" || left < MIN_ARGS_CHARS) return colours.bold(name);
  return `${colours.bold(name)} ${fitColumns(renderInline(args, { maxChars: 2 * MAX_ARGS_CHARS }), left)}`;
}

const MAX_ARGS_CHARS = 200;
const MIN_ARGS_CHARS = 4;

function elapsed({ startedAtMs }: CallCard): string {
  return startedAtMs === undefined ? "" : ` ${duration(performance.now() - startedAtMs)}`;
}

/** Treats a non-zero exit code as a failure, although the call itself succeeded. */
function hasFailed({ outcome, exitCode = 0 }: CallSettled): boolean {
  return outcome === "error" || (outcome === "ok" && exitCode !== 0);
}

function reason({ outcome, code, exitCode = 0 }: CallSettled): string {
  if (outcome === "ok") return exitCode === 0 ? "" : `exit ${exitCode}`;
  return code ?? outcome;
}

function mark(settled: CallSettled, colours: Colours): string {
  if (hasFailed(settled)) return colours.red("✗");
  const { outcome }: { readonly outcome: CallOutcome } = settled;
  if (outcome === "ok") return colours.green("✓");
  return outcome === "unknown" ? colours.yellow("?") : colours.gray("⊘");
}

function changeLines(change: ChangeSummary, isShown: boolean, style: CardStyle): readonly string[] {
  const { kind, path, from, diff } = change;
  const places = from === undefined ? renderInline(path) : `${renderInline(from)} -> ${renderInline(path)}`;
  if (isShown || diff === undefined) return [`${kind} ${places}`];
  return [`${kind} ${places}`, ...diffLines(diff, style)];
}

/** Returns the beginning of a diff, coloured. */
function diffLines(diff: string, { colours, columns }: CardStyle): readonly string[] {
  const lines = renderForHuman(diff)
    .trimEnd()
    .split("\n")
    .filter((line) => !/^(---|\+\+\+) /.test(line));
  return first(lines, MAX_DIFF_LINES).flatMap((line) =>
    wrapColumns(line, columns).map((row) => colourDiffLine(row, colours)),
  );
}

/** Returns the beginning of the output; for commands the end, where the outcome usually is. */
function answerLines(settled: CallSettled, { colours, columns }: CardStyle): readonly string[] {
  const text = settled.model.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
  const lines = renderForHuman(text)
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd()
    .split("\n");
  const most = hasFailed(settled) ? MAX_FAILURE_LINES : MAX_ANSWER_LINES;
  const isCommand = settled.outcome === "ok" && settled.exitCode !== undefined;
  const shown = isCommand ? last(lines, most) : first(lines, MAX_ANSWER_LINES);
  if (settled.outcome === "ok")
    return shown.map((line) => colours.dim(fitColumns(line, Math.min(columns, MAX_LINE_CHARS))));
  // An error says what to do, so none of it is cut.
  return shown.flatMap((line) => wrappedLines(fitColumns(line, MAX_ERROR_CHARS), columns, colours.dim));
}

const MAX_DIFF_LINES = 40;
const MAX_ANSWER_LINES = 8;
const MAX_FAILURE_LINES = 16;
const MAX_LINE_CHARS = 160;
const MAX_ERROR_CHARS = 600;

function first(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more lines`];
}

function last(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  return [`… ${lines.length - most + 1} lines before`, ...lines.slice(lines.length - most + 1)];
}
