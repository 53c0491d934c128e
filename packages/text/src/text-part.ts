import { countNewlines } from "./encoding/count-newlines.js";
import { isWellFormed } from "./well-formed.js";

/** Which part of a long text to find. */
export type TextPlace =
  /** Every occurrence of these texts; each must occur. */
  | { readonly find: readonly string[] }
  /** These lines, 1-based and inclusive; 0 is the top. */
  | { readonly lines: readonly [first: number, last: number] }
  | { readonly end: true };

/** Whole lines of a text that contain a place, with some context on both sides. */
export interface TextPart {
  readonly text: string;
  /** Byte offset in the whole text. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly linesAbove: number;
  /** Number of lines in the whole text, if lines were requested. */
  readonly lineCount?: number;
}

/** Validated UTF-8 text, with or without its byte order mark. */
export interface SearchedBytes {
  readonly bytes: Uint8Array;
  /** Byte offset where the text starts. */
  readonly body: number;
  /** Returns the offset of `wanted` at or after `from` and before `to`, or -1. */
  indexOf(wanted: Uint8Array, from: number, to: number): number;
}

/**
 * Finds the part of a text that a change concerns and decodes nothing else. A search in the part finds the same
 * matches in the same order as a search in the whole. Returns undefined if it cannot guarantee that, if the place
 * spans too much, or if a line ends in CRLF, which a search may treat as LF.
 */
export function findTextPart(searched: SearchedBytes, place: TextPlace): TextPart | undefined {
  const { bytes, body } = searched;
  if (searched.indexOf(CRLF, body, bytes.length) !== -1) return undefined;
  const found = placeOf(searched, place);
  if (found === undefined) return undefined;
  const start = linesBefore(bytes, body, found.start);
  const end = linesAfter(bytes, found.end);
  if (end - start > MAX_PART_BYTES) return undefined;
  return {
    text: decoder.decode(bytes.subarray(start, end)),
    start,
    end,
    linesAbove: countNewlines(bytes, body, start),
    ...(found.lineCount === undefined ? {} : { lineCount: found.lineCount }),
  };
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly lineCount?: number;
}

const NEWLINE = 0x0a;
const CRLF = Uint8Array.of(0x0d, NEWLINE);
// Twice the lines that a diff needs, to show context and to tell where a change moved.
const CONTEXT_LINES = 8;
const MAX_PART_BYTES = 256 * 1024;
const MAX_PLACES = 1_000;
// Each text is searched for in the whole file.
const MAX_TEXTS = 50;
const BLOCK_BYTES = 64 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function placeOf(searched: SearchedBytes, place: TextPlace): Place | undefined {
  if ("find" in place) return placeOfTexts(searched, place.find);
  if ("lines" in place) return placeOfLines(searched, place.lines);
  return { start: searched.bytes.length, end: searched.bytes.length };
}

/** Spans the first to the last occurrence of any text, overlapping ones included. */
function placeOfTexts(searched: SearchedBytes, texts: readonly string[]): Place | undefined {
  if (texts.length > MAX_TEXTS) return undefined;
  let [start, end, places] = [Number.POSITIVE_INFINITY, 0, 0];
  for (const text of texts) {
    if (text === "" || !isWellFormed(text)) return undefined;
    const wanted = encoder.encode(text);
    if (wanted.length > MAX_WANTED_BYTES) return undefined;
    let at = indexIn(searched, wanted, searched.body);
    if (at === -1) return undefined;
    for (; at !== -1; at = indexIn(searched, wanted, at + 1)) {
      if (at === undefined) return undefined;
      [start, end, places] = [Math.min(start, at), Math.max(end, at + wanted.length), places + 1];
      if (places > MAX_PLACES || end - start > MAX_PART_BYTES) return undefined;
    }
  }
  return end === 0 ? undefined : { start, end };
}

/**
 * Searches window by window. Returns undefined where a window is slow: a built-in search may compare all of `wanted` at
 * each place.
 */
function indexIn({ bytes, indexOf }: SearchedBytes, wanted: Uint8Array, from: number): number | undefined {
  const reach = Math.floor(MAX_COMPARED / wanted.length) + wanted.length;
  for (let at = from; at + wanted.length <= bytes.length; at += reach - wanted.length + 1) {
    const began = performance.now();
    const found = indexOf(wanted, at, Math.min(bytes.length, at + reach));
    if (found !== -1) return found;
    if (performance.now() - began > MAX_WINDOW_MS) return undefined;
  }
  return -1;
}

// Some 10 ms at most, in which a search otherwise passes over megabytes.
const MAX_COMPARED = 20_000_000;
const MAX_WANTED_BYTES = 16_384;
const MAX_WINDOW_MS = 8;

function placeOfLines(
  { bytes, body }: SearchedBytes,
  [first, last]: readonly [number, number],
): Place | undefined {
  let newlines = 0;
  let [start, end] = [first <= 1 ? body : -1, last < 1 ? body : -1];
  for (let from = body; from < bytes.length; from += BLOCK_BYTES) {
    const to = Math.min(from + BLOCK_BYTES, bytes.length);
    const inBlock = countNewlines(bytes, from, to);
    if (start === -1 && newlines + inBlock >= first - 1) start = behind(bytes, from, first - 1 - newlines);
    if (end === -1 && newlines + inBlock >= last) end = behind(bytes, from, last - newlines);
    newlines += inBlock;
  }
  const isOpen = bytes.length > body && bytes[bytes.length - 1] !== NEWLINE;
  const lineCount = newlines + (isOpen ? 1 : 0);
  if (first < 0 || last < first || last > lineCount) return undefined;
  return { start, end: end === -1 ? bytes.length : end, lineCount };
}

/** Returns the offset after the given number of newlines. */
function behind(bytes: Uint8Array, from: number, newlines: number): number {
  let at = from;
  for (let passed = 0; passed < newlines; passed++) at = bytes.indexOf(NEWLINE, at) + 1;
  return at;
}

/** Returns a line start some lines above the line that contains a place. */
function linesBefore(bytes: Uint8Array, body: number, place: number): number {
  let start = place;
  for (let lines = 0; lines <= CONTEXT_LINES && start > body; lines++) {
    // From the second line on, `start` follows a newline that the search must skip.
    const newline = lines === 0 ? start - 1 : start - 2;
    start = newline < body ? body : Math.max(body, bytes.lastIndexOf(NEWLINE, newline) + 1);
  }
  return start;
}

function linesAfter(bytes: Uint8Array, place: number): number {
  let end = place;
  for (let lines = 0; lines <= CONTEXT_LINES && end < bytes.length; lines++) {
    const newline = bytes.indexOf(NEWLINE, end);
    end = newline === -1 ? bytes.length : newline + 1;
  }
  return end;
}
