import { countNewlines } from "./encoding/count-newlines.js";
import { isWellFormed } from "./well-formed.js";

/** What a part of a long text is wanted for. */
export type TextPlace =
  /** Every place where one of these texts stands; each of them stands somewhere. */
  | { readonly find: readonly string[] }
  /** These lines, 1-based and both included; 0 is the top. */
  | { readonly lines: readonly [first: number, last: number] }
  | { readonly end: true };

/** Whole lines of a text, some more than the place itself takes on both sides. */
export interface TextPart {
  readonly text: string;
  /** Where it lies in the bytes of the whole. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly linesAbove: number;
  /** How many lines the whole has, where lines were asked for. */
  readonly lineCount?: number;
}

/** UTF-8 that was found to be valid, without its mark or from behind it. */
export interface SearchedBytes {
  readonly bytes: Uint8Array;
  /** Where the text begins. */
  readonly body: number;
  /** Where `wanted` stands at or after `from`; -1 when it does not. */
  indexOf(wanted: Uint8Array, from: number): number;
}

/**
 * The part of a text that a change is about, with nothing else of it decoded. What the same search finds in the
 * whole it finds in here as well, in the same order. Undefined where that cannot be promised, where the place is
 * spread too far, and where a line ends in CRLF, which a search may take for LF.
 */
export function findTextPart(searched: SearchedBytes, place: TextPlace): TextPart | undefined {
  const { bytes, body } = searched;
  if (searched.indexOf(CRLF, body) !== -1) return undefined;
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
// What a diff shows around a change and what tells where it moved to, twice.
const CONTEXT_LINES = 8;
const MAX_PART_BYTES = 256 * 1024;
const MAX_PLACES = 1_000;
const BLOCK_BYTES = 64 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function placeOf(searched: SearchedBytes, place: TextPlace): Place | undefined {
  if ("find" in place) return placeOfTexts(searched, place.find);
  if ("lines" in place) return placeOfLines(searched, place.lines);
  return { start: searched.bytes.length, end: searched.bytes.length };
}

/** From the first to the last place of any of them, those that overlap included. */
function placeOfTexts({ indexOf, body }: SearchedBytes, texts: readonly string[]): Place | undefined {
  let [start, end, places] = [Number.POSITIVE_INFINITY, 0, 0];
  for (const text of texts) {
    if (text === "" || !isWellFormed(text)) return undefined;
    const wanted = encoder.encode(text);
    let at = indexOf(wanted, body);
    if (at === -1) return undefined;
    for (; at !== -1; at = indexOf(wanted, at + 1)) {
      [start, end, places] = [Math.min(start, at), Math.max(end, at + wanted.length), places + 1];
      if (places > MAX_PLACES || end - start > MAX_PART_BYTES) return undefined;
    }
  }
  return end === 0 ? undefined : { start, end };
}

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

/** Where the text goes on behind so many newlines. */
function behind(bytes: Uint8Array, from: number, newlines: number): number {
  let at = from;
  for (let passed = 0; passed < newlines; passed++) at = bytes.indexOf(NEWLINE, at) + 1;
  return at;
}

/** The start of a line, some lines above the one that a place is in. */
function linesBefore(bytes: Uint8Array, body: number, place: number): number {
  let start = place;
  for (let lines = 0; lines <= CONTEXT_LINES && start > body; lines++) {
    // From the second line on `start` is behind a newline, which is not the one that is looked for.
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
