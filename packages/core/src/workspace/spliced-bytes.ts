import { detectEncoding, isWellFormed, type Splice, type TextFormat } from "@haft/text";
import { decodedText } from "./decoded-texts.js";

/** How bytes were made from others: enough to show the difference without comparing them. */
export interface SplicedBytes {
  readonly before: Uint8Array;
  readonly text: string;
  readonly splices: readonly Splice[];
}

/**
 * What splices of a text make of its bytes, where characters are bytes and both sides are surely plain
 * UTF-8; undefined otherwise. The text counts as the kernel decoded it, not as the caller has it.
 */
export function spliceBytes(before: Uint8Array, { text, format }: Spliced, splices: readonly Splice[]) {
  const known = decodedText(before);
  if (known === undefined || known.text !== text || text.length !== before.length) return undefined;
  if (!isPlain(known.format) || !isPlain(format)) return undefined;
  // A copy: what is shown later must not change with what the caller still holds.
  const own = splices.map(({ start, end, replacement }) => ({ start, end, replacement }));
  if (!own.every(({ replacement }) => isWellFormed(replacement)) || !areInOrder(own, text.length))
    return undefined;
  const bytes = cutAndPaste(before, own);
  const sample = detectEncoding(bytes.subarray(0, SAMPLE_BYTES), { partial: bytes.length > SAMPLE_BYTES });
  if (sample === undefined || !isPlain(sample)) return undefined;
  made.set(bytes, { before, text: known.text, splices: own });
  return bytes;
}

interface Spliced {
  readonly text: string;
  readonly format: TextFormat;
}

/** How bytes were made, if they were made here from the given ones. */
export function splicesBetween(before: Uint8Array, after: Uint8Array): SplicedBytes | undefined {
  const known = made.get(after);
  return known?.before === before ? known : undefined;
}

const made = new WeakMap<Uint8Array, SplicedBytes>();
const SAMPLE_BYTES = 64 * 1024;

function isPlain({ encoding, bom }: TextFormat): boolean {
  return encoding === "utf-8" && !bom;
}

function areInOrder(splices: readonly Splice[], length: number): boolean {
  let from = 0;
  for (const { start, end } of splices) {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < from || end < start) return false;
    from = end;
  }
  return from <= length;
}

function cutAndPaste(before: Uint8Array, splices: readonly Splice[]): Uint8Array {
  const pieces = splices.map((splice) => ({
    ...splice,
    bytes: new TextEncoder().encode(splice.replacement),
  }));
  const grown = pieces.reduce((sum, { start, end, bytes }) => sum + bytes.length - (end - start), 0);
  const after = new Uint8Array(before.length + grown);
  let from = 0;
  let at = 0;
  const paste = (bytes: Uint8Array) => {
    after.set(bytes, at);
    at += bytes.length;
  };
  for (const { start, end, bytes } of pieces) {
    paste(before.subarray(from, start));
    paste(bytes);
    from = end;
  }
  paste(before.subarray(from));
  return after;
}
