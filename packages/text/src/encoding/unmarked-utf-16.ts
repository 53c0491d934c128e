import { decodeExactly } from "./iconv-codec.js";
import type { TextFormat } from "./text-format.js";

/**
 * UTF-16 without a mark betrays itself by its NUL bytes: Latin letters, spaces and newlines have one, nearly
 * always on the same side. Since a NUL is also the surest sign of binary data, the reading must be convincing.
 */
export function unmarkedUtf16(bytes: Uint8Array): TextFormat | undefined {
  const head = bytes.subarray(0, sniffLength);
  if (head.length % 2 === 1 && head.length < shortest) return undefined;
  const encoding = byNulSide(head).find((each) => isConvincing(decodeExactly(head, each)?.text ?? ""));
  return encoding === undefined ? undefined : { encoding, bom: false };
}

const sniffLength = 8192;
// An odd length is wrong, but a sample of that size may have been cut without care.
const shortest = 64;

/** The likelier one first. The other stays possible: U+4E00, a frequent ideograph, has its NUL on the wrong side. */
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
  if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\p{Cf}\s]+$/u.test(text)) return false;
  const latin = text.match(/[\0-\xff]/g)?.length ?? 0;
  return latin * 10 >= text.length * 7 || isOneScript(text);
}

/**
 * For text that is not Latin: nearly all letters of one script. ASCII with a stray NUL reads as ideographs
 * too, but as such whose bytes are nearly all printable ASCII; in real text about a quarter are.
 */
function isOneScript(text: string): boolean {
  const others = text.match(/[^\0-\xff]/g) ?? [];
  if (text.length < 8 || others.filter(isTwoAsciiBytes).length * 10 > others.length * 6) return false;
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
  return isPrintable(code & 0xff) && isPrintable(code >> 8);
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d);
}
