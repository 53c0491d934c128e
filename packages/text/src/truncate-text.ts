import { cutAfter, cutBefore } from "./cut-point.js";
import { countLines } from "./lines.js";

export interface TruncateOptions {
  readonly maxChars?: number | undefined;
  readonly maxLines?: number | undefined;
  /** Which end to keep; "both" keeps half from each and marks the gap. Default "head". */
  readonly keep?: "head" | "tail" | "both" | undefined;
}

export interface TruncatedText {
  readonly text: string;
  readonly truncated: boolean;
  readonly omittedChars: number;
  /** Number of lines removed entirely. */
  readonly omittedLines: number;
}

/**
 * Truncates to both limits and never splits a surrogate pair. "both" marks the gap with a line of its own, in
 * addition to the limits: an unmarked gap would read as adjacent text.
 */
export function truncateText(text: string, options: TruncateOptions): TruncatedText {
  const { keep = "head" } = options;
  const maxChars = limitOf(options.maxChars);
  const maxLines = limitOf(options.maxLines);
  if (text.length <= maxChars && (maxLines >= text.length || countLines(text) <= maxLines)) {
    return { text, truncated: false, omittedChars: 0, omittedLines: 0 };
  }
  if (keep === "both") return keepBothEnds(text, maxChars, maxLines);
  const kept = keep === "head" ? headOf(text, maxChars, maxLines) : tailOf(text, maxChars, maxLines);
  return { text: kept, ...omitted(text, [kept]) };
}

/** Truncates one line and states how much is missing: `abc …[+997 chars]`. */
export function truncateLine(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  const cut = cutBefore(line, limitOf(maxChars));
  return `${line.slice(0, cut)} …[+${line.length - cut} chars]`;
}

function limitOf(limit: number | undefined): number {
  return limit === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(limit));
}

function keepBothEnds(text: string, maxChars: number, maxLines: number): TruncatedText {
  const head = headOf(text, Math.ceil(maxChars / 2), Math.ceil(maxLines / 2));
  const rest = text.slice(head.length);
  const tail = tailOf(rest, Math.floor(maxChars / 2), Math.floor(maxLines / 2));
  const counts = omitted(text, [head, tail]);
  const size = `${counts.omittedLines} lines, ${counts.omittedChars} chars`;
  const lineBreak = head === "" || head.endsWith("\n") ? "" : "\n";
  return { text: `${head}${lineBreak}…[${size} omitted]\n${tail}`, ...counts };
}

function headOf(text: string, maxChars: number, maxLines: number): string {
  let end = 0;
  for (let lines = 0; lines < maxLines && end < text.length && end < maxChars; lines++) {
    const newline = text.indexOf("\n", end);
    end = newline === -1 ? text.length : newline + 1;
  }
  return text.slice(0, cutBefore(text, Math.min(end, maxChars)));
}

function tailOf(text: string, maxChars: number, maxLines: number): string {
  const floor = Math.max(0, text.length - maxChars);
  let start = text.length;
  for (let lines = 0; lines < maxLines && start > floor; lines++) {
    start = start < 2 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  }
  return text.slice(cutAfter(text, Math.max(start, floor)));
}

function omitted(text: string, kept: readonly string[]): Omit<TruncatedText, "text"> {
  const keptChars = kept.reduce((sum, part) => sum + part.length, 0);
  const keptLines = kept.reduce((sum, part) => sum + countLines(part), 0);
  return {
    truncated: true,
    omittedChars: text.length - keptChars,
    omittedLines: Math.max(0, countLines(text) - keptLines),
  };
}
