import {
  detectEncoding,
  encodeText,
  isWellFormed,
  lineAt,
  type Splice,
  type TextFormat,
  utf8Position,
} from "@haft/text";
import { decodedText } from "./decoded-texts.js";
import { joinParts } from "./spliced-file.js";

/** How content was made from other content: enough to write it, and to show the difference without comparing. */
export interface SplicedContent {
  /** What it was made from, and the text of that. */
  readonly before: Uint8Array;
  readonly text: string;
  readonly splices: readonly Splice[];
  /** The line in which the first splice starts. */
  readonly startLine: number;
  /** The new content, most of it still where it was. */
  readonly parts: readonly Uint8Array[];
}

/**
 * What splices of a text make of its bytes, where both sides are surely the same kind of UTF-8; undefined
 * otherwise. The text counts as the kernel decoded it, not as the caller has it.
 */
export function spliceContent(
  before: Uint8Array,
  { text, format }: { readonly text: string; readonly format: TextFormat },
  splices: readonly Splice[],
): SplicedContent | undefined {
  const known = decodedText(before);
  if (known === undefined || known.text !== text) return undefined;
  if (known.format.encoding !== "utf-8" || !isSame(known.format, format)) return undefined;
  // A copy: what is shown later must not change with what the caller still holds.
  const own = splices.map(({ start, end, replacement }) => ({ start, end, replacement }));
  if (!own.every(({ replacement }) => isWellFormed(replacement)) || !areInOrder(own, text.length))
    return undefined;
  const cuts = cutsOf(own, { before, text, format });
  if (cuts === undefined) return undefined;
  const parts = partsOf(before, cuts);
  const sample = joinParts(parts, SAMPLE_BYTES);
  const found = detectEncoding(sample, { partial: sample.length === SAMPLE_BYTES });
  if (found === undefined || !isSame(found, format)) return undefined;
  const startLine = lineAt(text, own[0]?.start ?? 0);
  return { before, text: known.text, splices: own, startLine, parts };
}

// More than what decides whether bytes are text.
const SAMPLE_BYTES = 16 * 1024;
const MARK_BYTES = 3;

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

/** A splice in bytes. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly put: Uint8Array;
}

/** Undefined when a splice starts or ends inside a character. */
function cutsOf(
  splices: readonly Splice[],
  { before, text, format }: { before: Uint8Array; text: string; format: TextFormat },
): readonly Cut[] | undefined {
  const body = format.bom ? MARK_BYTES : 0;
  // As many characters as bytes: each is one.
  const isPlain = text.length === before.length - body;
  const cuts: Cut[] = [];
  let last = { units: 0, at: body };
  for (const { start, end, replacement } of splices) {
    const first = isPlain ? body + start : utf8Position(before, last.at, start - last.units);
    const stop = isPlain ? body + end : first === -1 ? -1 : utf8Position(before, first, end - start);
    if (stop === -1) return undefined;
    cuts.push({ start: first, end: stop, put: encodeText(replacement, UTF_8) });
    last = { units: end, at: stop };
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

// Of many small parts each costs more than copying it does.
const MAX_PARTS = 64;
