/** The part of a buffer visible to a search. `^`, `$` and `\b` treat its ends as the ends of the text. */
export interface TextSlice {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** Where CRLF is one line ending, a carriage return before the end of a slice belongs to that ending. */
export function seenSlice(text: TextSlice, crlf: boolean): TextSlice {
  const { bytes, from, to } = text;
  return crlf && to > from && bytes[to - 1] === 0x0d ? { bytes, from, to: to - 1 } : text;
}

export const MALFORMED = -1;

/** Returns the character at an offset; MALFORMED for anything but a whole character. */
export function decodeAt({ bytes, to }: TextSlice, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0x80) return lead;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || at + length > to) return MALFORMED;
  let point = lead & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index] as number;
    if ((byte & 0xc0) !== 0x80) return MALFORMED;
    point = (point << 6) | (byte & 0x3f);
  }
  return point;
}

export function isInsideCharacter(text: TextSlice, at: number): boolean {
  for (let start = at - 1; start >= text.from && start > at - 4; start--) {
    const byte = text.bytes[start] as number;
    if ((byte & 0xc0) === 0x80) continue;
    return byte >= 0xc0 && decodeAt(text, start) !== MALFORMED && start + encodedLength(byte) > at;
  }
  return false;
}

function encodedLength(lead: number): number {
  return lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

export function decodeBefore(text: TextSlice, at: number): number {
  let start = at - 1;
  while (start > text.from && at - start < 4 && ((text.bytes[start] as number) & 0xc0) === 0x80) start--;
  const lead = text.bytes[start] as number;
  return start + encodedLength(lead) === at ? decodeAt({ ...text, to: at }, start) : MALFORMED;
}
