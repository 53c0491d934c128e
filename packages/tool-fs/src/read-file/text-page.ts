import { estimateTokens, truncateText } from "@haft/text";
import type { TextSlice } from "./text-slice.js";

export interface PageBudget {
  readonly lines: number;
  readonly bytes: number;
  /** Of the text as it is shown: cut lines, with their numbers. */
  readonly tokens: number;
  readonly lineChars: number;
}

/** The lines that one call returns. */
export interface TextPage {
  /** As they are in the file, endings included. */
  readonly content: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly linesRead: number;
  /** Whether lines follow. */
  readonly hasMore: boolean;
  /** Characters of the only line that did not fit; counted in bytes where they were not read. */
  readonly cutChars: number;
}

/** Whole lines, as many as the budget allows and at least one; only a line too long for a page is cut. */
export function pageOf(slice: TextSlice, budget: PageBudget): TextPage {
  const { text, firstLine } = slice;
  let end = 0;
  let lines = 0;
  let bytes = 0;
  let tokens = 0;
  const isCounted = !surelyFits(text, budget);
  while (lines < budget.lines && end < text.length) {
    const next = endOfLine(text, end);
    if (isCounted) {
      const cost = costOf(text.slice(end, next), budget.lineChars);
      bytes += cost.bytes;
      tokens += cost.tokens + prefixTokens(firstLine + lines);
    }
    if (lines > 0 && (bytes > budget.bytes || tokens > budget.tokens)) break;
    end = next;
    lines += 1;
  }
  const content = text.slice(0, end);
  const kept = lines === 1 ? keepBytes(content, budget.bytes) : content;
  return {
    content: kept,
    startLine: firstLine,
    endLine: firstLine + lines - 1,
    linesRead: lines,
    hasMore: end < text.length || !slice.atEnd,
    cutChars: cutChars(content, kept) + (end === text.length ? slice.unreadBytes : 0),
  };
}

/** By its length alone: a character is three bytes and one token at most, and a line has its number. */
function surelyFits(text: string, { lines, bytes, tokens }: PageBudget): boolean {
  const numbers = Math.min(lines, text.length) * MAX_PREFIX_TOKENS;
  return text.length * MAX_UTF8_BYTES <= bytes && text.length + numbers <= tokens;
}

const MAX_UTF8_BYTES = 3;
const MAX_PREFIX_TOKENS = 5;

/** How many bytes a text takes in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Half of a surrogate pair is two of the four bytes of its character.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

function endOfLine(text: string, start: number): number {
  const newline = text.indexOf("\n", start);
  return newline === -1 ? text.length : newline + 1;
}

function costOf(line: string, lineChars: number): { bytes: number; tokens: number } {
  const shownChars = Math.min(line.length, lineChars);
  // Nearly every line of nearly every file, and no loop over its characters.
  if (PLAIN.test(line)) return { bytes: line.length, tokens: Math.ceil(shownChars / 4) };
  return { bytes: utf8Length(line), tokens: estimateTokens(line.slice(0, shownChars)) };
}

const PLAIN = /^[ -~\t\r\n]*$/;

function prefixTokens(line: number): number {
  return (String(line).length + ": ".length) / 4;
}

function cutChars(line: string, kept: string): number {
  return line === kept ? 0 : line.length - kept.length - (line.endsWith("\n") ? 1 : 0);
}

/** The line itself, or its start without an ending. */
function keepBytes(line: string, maxBytes: number): string {
  const body = line.endsWith("\n") ? line.slice(0, -1) : line;
  if (body.length <= maxBytes && utf8Length(body) <= maxBytes) return line;
  // Every character takes at least one byte, so the first guess is never too short to be cut from.
  let kept = truncateText(line, { maxChars: maxBytes }).text;
  while (utf8Length(kept) > maxBytes) {
    const share = maxBytes / utf8Length(kept);
    kept = truncateText(kept, { maxChars: Math.min(kept.length - 1, Math.floor(kept.length * share)) }).text;
  }
  return kept;
}
