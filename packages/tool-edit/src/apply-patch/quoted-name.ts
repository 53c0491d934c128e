import { invalidPatch } from "./invalid-patch.js";

/** Decodes a file name as git writes it: plain, or quoted with C escapes. */
export function unquoteName(name: string, line: number): string {
  if (!name.startsWith('"')) return name;
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(name) ?? [];
  if (quoted === undefined) throw invalidPatch("a quoted file name does not end", line);
  const bytes: number[] = [];
  for (const [piece] of quoted.matchAll(/\\[0-3][0-7]{2}|\\.|[^\\]+/gu)) {
    const found = bytesOf(piece);
    if (found === undefined) throw invalidPatch(`${piece} is not a valid escape in a quoted file name`, line);
    for (const byte of found) bytes.push(byte);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    throw invalidPatch("a quoted file name is not UTF-8", line);
  }
}

function bytesOf(piece: string): Iterable<number> | undefined {
  if (!piece.startsWith("\\")) return new TextEncoder().encode(piece);
  if (/^\\[0-7]{3}$/.test(piece)) return [Number.parseInt(piece.slice(1), 8)];
  const code = ESCAPES.get(piece.slice(1));
  return code === undefined ? undefined : [code];
}

const ESCAPES: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["b", 8],
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
  ['"', 34],
  ["\\", 92],
]);
