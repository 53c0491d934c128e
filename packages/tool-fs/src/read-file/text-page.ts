import { estimateTokens, truncateText } from "@haft/text";
import type { TextSlice } from "./text-slice.js";

interface PageBudget {
  readonly lines: number;
  readonly bytes: number;
  /** Measured on the rendered text: truncated lines, with their numbers. */
  readonly tokens: number;
  readonly lineChars: number;
}

export interface TextPage {
  /** Lines as stored in the file, endings included. */
  readonly content: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly linesRead: number;
  /** Whether more lines follow. */
  readonly hasMore: boolean;
  /** Characters of a single line that did not fit; counted in bytes if they were not read. */
  readonly cutChars: number;
}

/** Returns as many whole lines as the budget allows, at least one. Only a line too long for a page is cut. */
export function pageOf(slice: TextSlice, budget: PageBudget): TextPage {
  const { text, firstLine } = slice;
  let end = 0;
  let lines = 0;
  let bytes = 0;
  let tokens = 0;
  const isCounted = !surelyFits(text, budget);
  // One test for all lines: most texts are plain.
  const isPlain = isCounted && PLAIN.test(text);
  while (lines < budget.lines && end < text.length) {
    const next = endOfLine(text, end);
    if (isCounted) {
      const cost = isPlain
        ? plainCost(next - end, budget.lineChars)
        : costOf(text.slice(end, next), budget.lineChars);
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

/** Estimates by length alone: a character is at most three bytes and one token, plus the line number. */
function surelyFits(text: string, { lines, bytes, tokens }: PageBudget): boolean {
  const numbers = Math.min(lines, text.length) * MAX_PREFIX_TOKENS;
  return text.length * MAX_UTF8_BYTES <= bytes && text.length + numbers <= tokens;
}

const MAX_UTF8_BYTES = 3;
const MAX_PREFIX_TOKENS = 5;

/** Returns the UTF-8 length of a text in bytes. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Half of a surrogate pair counts as two of its character's four bytes.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

function endOfLine(text: string, start: number): number {
  const newline = text.indexOf("\n", start);
  return newline === -1 ? text.length : newline + 1;
}

function costOf(line: string, lineChars: number): { bytes: number; tokens: number } {
  // Fast path for nearly every line, without a loop over its characters.
  if (PLAIN.test(line)) return plainCost(line.length, lineChars);
  return { bytes: utf8Length(line), tokens: estimateTokens(line.slice(0, lineChars)) };
}

function plainCost(length: number, lineChars: number): { bytes: number; tokens: number } {
  return { bytes: length, tokens: Math.ceil(Math.min(length, lineChars) / 4) };
}

const PLAIN = /^[ -~\t\r\n]*$/;

function prefixTokens(line: number): number {
  return (String(line).length + ": ".length) / 4;
}

function cutChars(line: string, kept: string): number {
  return line === kept ? 0 : line.length - kept.length - (line.endsWith("\n") ? 1 : 0);
}

/** Returns the line itself, or its start without the line ending. */
function keepBytes(line: string, maxBytes: number): string {
  const body = line.endsWith("\n") ? line.slice(0, -1) : line;
  if (body.length <= maxBytes && utf8Length(body) <= maxBytes) return line;
  // Every character takes at least one byte, so the first estimate is never too short.
  let kept = truncateText(line, { maxChars: maxBytes }).text;
  while (utf8Length(kept) > maxBytes) {
    const share = maxBytes / utf8Length(kept);
    kept = truncateText(kept, { maxChars: Math.min(kept.length - 1, Math.floor(kept.length * share)) }).text;
  }
  return kept;
}
