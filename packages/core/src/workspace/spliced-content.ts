import {
  type DecodedText,
  detectEncoding,
  encodeText,
  isWellFormed,
  lineAt,
  type PartOfText,
  type Splice,
  splicedDiff,
  type TextFormat,
  utf8Position,
} from "@haft/text";
import { decodedText } from "./decoded-texts.js";
import { joinParts } from "./spliced-file.js";

/** How content was derived from other content: enough to write it, and to show the diff without comparing. */
export interface SplicedContent {
  /** The original bytes. */
  readonly before: Uint8Array;
  /** The original text, or the part of it that contains the splices. */
  readonly text: string;
  readonly part?: PartOfText;
  readonly splices: readonly Splice[];
  /** The line in which the first splice starts. */
  readonly startLine: number;
  /** The new content, mostly shared with the original. */
  readonly parts: readonly Uint8Array[];
}

/** A text, or whole lines of it, and its byte range: UTF-8, as the kernel decoded it. */
interface TextStretch extends DecodedText {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly linesAbove: number;
}

/** Returns the stretch that covers a whole text, or undefined unless the bytes are certain to be that text in UTF-8. */
export function wholeStretch(before: Uint8Array, { text, format }: DecodedText): TextStretch | undefined {
  const known = decodedText(before);
  if (known === undefined || known.text !== text) return undefined;
  if (known.format.encoding !== "utf-8" || !isSame(known.format, format)) return undefined;
  return { text: known.text, format, start: bodyOf(format), end: before.length, linesAbove: 0 };
}

/**
 * Applies splices of a stretch to the bytes. Returns undefined unless both sides are certain to be the same kind of
 * UTF-8.
 */
export function spliceContent(
  before: Uint8Array,
  stretch: TextStretch,
  splices: readonly Splice[],
): SplicedContent | undefined {
  const { text, format, linesAbove } = stretch;
  // A copy: later changes by the caller must not affect what is shown.
  const own = splices.map(({ start, end, replacement }) => ({ start, end, replacement }));
  if (!own.every(({ replacement }) => isWellFormed(replacement)) || !areInOrder(own, text.length))
    return undefined;
  const cuts = cutsOf(own, before, stretch);
  if (cuts === undefined) return undefined;
  const parts = partsOf(before, cuts);
  const sample = joinParts(parts, SAMPLE_BYTES);
  const found = detectEncoding(sample, { partial: sample.length === SAMPLE_BYTES });
  if (found === undefined || !isSame(found, format)) return undefined;
  const startLine = linesAbove + lineAt(text, own[0]?.start ?? 0);
  return { before, text, splices: own, startLine, parts, ...partIn(before, stretch, own) };
}

/** Converts splices of a stretch to splices of the whole text. */
export function inWhole(
  before: Uint8Array,
  { start, format }: Pick<TextStretch, "start" | "format">,
  splices: readonly Splice[],
): { readonly before: string; readonly splices: readonly Splice[] } {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const by = decoder.decode(before.subarray(bodyOf(format), start)).length;
  const moved = splices.map((each) => ({ ...each, start: each.start + by, end: each.end + by }));
  return { before: decoder.decode(before.subarray(bodyOf(format))), splices: moved };
}

/** Returns the splices as a diff. */
export function diffOfContent(
  { text, splices, startLine, part }: Pick<SplicedContent, "text" | "splices" | "startLine" | "part">,
  options: { readonly path: string; readonly maxLines?: number },
): string {
  return splicedDiff({ ...options, before: text, splices, startLine, part }).text;
}

function partIn(
  before: Uint8Array,
  stretch: TextStretch,
  splices: readonly Splice[],
): { readonly part?: PartOfText } {
  const isStart = stretch.start === bodyOf(stretch.format);
  const isEnd = stretch.end === before.length;
  if (isStart && isEnd) return {};
  return { part: { isStart, isEnd, whole: () => inWhole(before, stretch, splices) } };
}

// More bytes than text detection examines.
const SAMPLE_BYTES = 16 * 1024;
const MARK_BYTES = 3;

function bodyOf({ bom }: TextFormat): number {
  return bom ? MARK_BYTES : 0;
}

function isSame(one: TextFormat, other: TextFormat): boolean {
  return one.encoding === other.encoding && one.bom === other.bom;
}

function areInOrder(splices: readonly Splice[], length: number): boolean {
  let from = 0;
  for (const { start, end } of splices) {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < from || end < start) return false;
    from = end;
  }
  return from <= length;
}

/** A splice in byte offsets. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly put: Uint8Array;
}

/** Returns undefined if a splice starts or ends inside a character. */
function cutsOf(
  splices: readonly Splice[],
  before: Uint8Array,
  { text, start: body, end: stop }: TextStretch,
): readonly Cut[] | undefined {
  // As many characters as bytes, so every character is one byte.
  const isPlain = text.length === stop - body;
  const cuts: Cut[] = [];
  let last = { units: 0, at: body };
  for (const { start, end, replacement } of splices) {
    const first = isPlain ? body + start : utf8Position(before, last.at, start - last.units);
    const behind = isPlain ? body + end : first === -1 ? -1 : utf8Position(before, first, end - start);
    if (behind === -1) return undefined;
    cuts.push({ start: first, end: behind, put: encodeText(replacement, UTF_8) });
    last = { units: end, at: behind };
  }
  return cuts;
}

const UTF_8: TextFormat = { encoding: "utf-8", bom: false };

function partsOf(before: Uint8Array, cuts: readonly Cut[]): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { start, end, put } of cuts) {
    parts.push(before.subarray(from, start), put);
    from = end;
  }
  parts.push(before.subarray(from));
  return parts.length <= MAX_PARTS ? parts.filter(({ length }) => length > 0) : [joinParts(parts)];
}

// With many small parts, the overhead per part exceeds the cost of copying.
const MAX_PARTS = 64;
