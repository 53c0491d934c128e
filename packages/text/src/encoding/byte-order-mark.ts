import type { TextFormat } from "./text-format.js";

/** Returns the formats whose mark the bytes start with. There can be two: UTF-32LE begins like UTF-16LE. */
export function markedFormats(bytes: Uint8Array): TextFormat[] {
  return [...marks]
    .filter(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
    .map(([encoding]) => ({ encoding, bom: true }));
}

export function byteOrderMark(format: TextFormat): Uint8Array {
  return Uint8Array.from(format.bom ? (marks.get(format.encoding) ?? []) : []);
}

// Check the longer mark first: FF FE 00 00 is far more likely UTF-32 than UTF-16 that starts with U+0000.
const marks: ReadonlyMap<string, readonly number[]> = new Map([
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-32le", [0xff, 0xfe, 0x00, 0x00]],
  ["utf-32be", [0x00, 0x00, 0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
]);
