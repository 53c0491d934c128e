import { decodeExactly } from "./iconv-codec.js";
import type { TextFormat } from "./text-format.js";

/**
 * UTF-16 without a mark betrays itself by its NUL bytes: Latin letters, spaces and newlines have one, always
 * on the same side. Since a NUL is also the surest sign of binary data, the reading must be convincing.
 */
export function unmarkedUtf16(bytes: Uint8Array): TextFormat | undefined {
  const head = bytes.subarray(0, sniffLength);
  const encoding = sideOfNuls(head);
  if (encoding === undefined) return undefined;
  const text = decodeExactly(head, encoding)?.text;
  return text !== undefined && isConvincing(text) ? { encoding, bom: false } : undefined;
}

const sniffLength = 8192;

function sideOfNuls(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  let first = 0;
  let second = 0;
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) {
    if (at % 2 === 0) first++;
    else second++;
    if (first > 0 && second > 0) return undefined;
  }
  if (first === 0 && second === 0) return undefined;
  return first > 0 ? "utf-16be" : "utf-16le";
}

function isConvincing(text: string): boolean {
  if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\p{Cf}\s]+$/u.test(text)) return false;
  const latin = text.match(/[\0-\xff]/g)?.length ?? 0;
  return latin * 10 >= text.length * 7 || isOneScript(text);
}

/**
 * For text that is not Latin: nearly all letters of one script. ASCII with a stray NUL reads as a few random
 * ideographs, whose bytes are all printable ASCII; real text is not like that.
 */
function isOneScript(text: string): boolean {
  if (text.length < 8 || [...text].every(isTwoAsciiBytes)) return false;
  const letters = text.match(/[^\0-\xff\p{P}\p{S}\p{N}\p{Zs}]/gu)?.length ?? 0;
  return scripts.some((script) => (text.match(script)?.length ?? 0) * 10 >= letters * 9);
}

const scripts = [
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]/gu,
  /\p{sc=Hang}/gu,
  /\p{sc=Cyrl}/gu,
  /\p{sc=Grek}/gu,
  /\p{sc=Arab}/gu,
  /\p{sc=Hebr}/gu,
  /\p{sc=Thai}/gu,
  /\p{sc=Deva}/gu,
];

function isTwoAsciiBytes(character: string): boolean {
  const code = character.charCodeAt(0);
  return isPrintable(code & 0xff) && (code < 0x100 || isPrintable(code >> 8));
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d);
}
