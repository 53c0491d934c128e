import { lazyPattern } from "../lazy-pattern.js";
import { decodeExactly } from "./iconv-codec.js";
import type { TextFormat } from "./text-format.js";

/**
 * Detects UTF-16 without a byte order mark by its NUL bytes: Latin letters, spaces and newlines each have
 * one, nearly always on the same side. A NUL is also the best sign of binary data, so the decoded text must
 * be convincing.
 */
export function unmarkedUtf16(bytes: Uint8Array): TextFormat | undefined {
  const head = bytes.subarray(0, sniffLength);
  if (head.length % 2 === 1 && head.length < shortest) return undefined;
  const encoding = byNulSide(head).find((each) => isConvincing(decodeExactly(head, each)?.text ?? ""));
  return encoding === undefined ? undefined : { encoding, bom: false };
}

const sniffLength = 8192;
// An odd length is invalid, but a sample of that size may have been cut carelessly.
const shortest = 64;

/**
 * Likelier byte order first. The other stays possible: U+4E00, a frequent ideograph, has its NUL on the wrong
 * side.
 */
function byNulSide(bytes: Uint8Array): string[] {
  let first = 0;
  let second = 0;
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) {
    if (at % 2 === 0) first++;
    else second++;
  }
  if (first === 0 && second === 0) return [];
  return first > second ? ["utf-16be", "utf-16le"] : ["utf-16le", "utf-16be"];
}

function isConvincing(text: string): boolean {
  if (!WRITTEN().test(text)) return false;
  const latin = text.match(/[\0-\xff]/g)?.length ?? 0;
  return latin * 10 >= text.length * 7 || isOneScript(text);
}

/**
 * For non-Latin text: nearly all letters belong to one script. ASCII with a stray NUL decodes to ideographs
 * too, but nearly all their bytes are printable ASCII; in real text about a quarter are.
 */
function isOneScript(text: string): boolean {
  const others = text.match(/[^\0-\xff]/g) ?? [];
  if (text.length < 8 || others.filter(isTwoAsciiBytes).length * 10 > others.length * 6) return false;
  const letters = text.match(LETTERS())?.length ?? 0;
  return scripts.some((script) => (text.match(script())?.length ?? 0) * 10 >= letters * 9);
}

const WRITTEN = lazyPattern(String.raw`^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\p{Cf}\s]+$`);
const LETTERS = lazyPattern(String.raw`[^\0-\xff\p{P}\p{S}\p{N}\p{Zs}]`, "gu");
const scripts = [
  lazyPattern(String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]`, "gu"),
  ...["Hang", "Cyrl", "Grek", "Arab", "Hebr", "Thai", "Deva"].map((name) =>
    lazyPattern(`\\p{sc=${name}}`, "gu"),
  ),
];

function isTwoAsciiBytes(character: string): boolean {
  const code = character.charCodeAt(0);
  return isPrintable(code & 0xff) && isPrintable(code >> 8);
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d);
}
