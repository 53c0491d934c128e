import { type CharRanges, MAX_CODE_POINT, mergeRanges, negateRanges } from "./char-ranges.js";
import { DIGIT_RANGES, WORD_RANGES } from "./unicode-tables.js";

/** The ranges of `\d`, `\s`, `\w` (lower case letter), in Unicode or in ASCII. */
export function perlClass(letter: "d" | "s" | "w", unicode: boolean): CharRanges {
  if (letter === "s") return unicode ? SPACE_RANGES : ASCII_CLASSES.space;
  if (letter === "d") return unicode ? decodeRanges(DIGIT_RANGES) : ASCII_CLASSES.digit;
  return unicode ? decodeRanges(WORD_RANGES) : ASCII_CLASSES.word;
}

/** The ranges of `\p{name}`, or undefined when Unicode knows no such property. */
export function propertyRanges(name: string): CharRanges | undefined {
  const key = normalizeName(name);
  if (key === "any") return [0, MAX_CODE_POINT];
  if (key === "ascii") return [0, 0x7f];
  if (key === "assigned") return negateRanges(scan(/\p{Cn}/u));
  const pattern = propertyPattern(name);
  return pattern && scan(pattern);
}

export const ASCII_CLASSES = {
  alnum: [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a],
  alpha: [0x41, 0x5a, 0x61, 0x7a],
  ascii: [0, 0x7f],
  blank: [0x09, 0x09, 0x20, 0x20],
  cntrl: [0, 0x1f, 0x7f, 0x7f],
  digit: [0x30, 0x39],
  graph: [0x21, 0x7e],
  lower: [0x61, 0x7a],
  print: [0x20, 0x7e],
  punct: [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e],
  space: [0x09, 0x0d, 0x20, 0x20],
  upper: [0x41, 0x5a],
  word: [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a],
  xdigit: [0x30, 0x39, 0x41, 0x46, 0x61, 0x66],
} as const satisfies Record<string, CharRanges>;

const SPACE_RANGES: CharRanges = [
  0x09, 0x0d, 0x20, 0x20, 0x85, 0x85, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f,
  0x202f, 0x205f, 0x205f, 0x3000, 0x3000,
];

function decodeRanges(text: string): number[] {
  const numbers = text.split(" ").map((word) => Number.parseInt(word, 36));
  const ranges: number[] = [];
  let end = 0;
  for (let index = 0; index < numbers.length; index += 2) {
    const low = end + (numbers[index] as number);
    end = low + (numbers[index + 1] as number);
    ranges.push(low, end);
  }
  return ranges;
}

function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

// V8 wants the exact spelling of the standard, the pattern languages are loose: try the usual spellings.
function propertyPattern(name: string): RegExp | undefined {
  const [left, right] = name.split(/[=:]/, 2) as [string, string | undefined];
  const values = spellings(right ?? left);
  const prefixes = right === undefined ? ["", "gc=", "sc="] : [`${propertyKey(left)}=`];
  for (const prefix of prefixes) {
    for (const value of values) {
      const pattern = tryPattern(`\\p{${prefix}${value}}`);
      if (pattern) return pattern;
    }
  }
  return undefined;
}

function propertyKey(name: string): string {
  const key = normalizeName(name);
  if (key === "gc" || key === "generalcategory") return "gc";
  return key === "scx" || key === "scriptextensions" ? "scx" : "sc";
}

function spellings(name: string): string[] {
  const words = name.trim().split(/[\s_-]+/);
  const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join("_");
  return [...new Set([name, title, name.toUpperCase(), name.toLowerCase()])].filter((text) =>
    /^\w+$/.test(text),
  );
}

function tryPattern(source: string): RegExp | undefined {
  try {
    return new RegExp(source, "u");
  } catch {
    return undefined;
  }
}

// One pass over all characters: about 20 ms, paid only by patterns that name a property.
function scan(pattern: RegExp): number[] {
  const runs = new RegExp(`(?:${pattern.source})+`, "gu");
  const ranges: number[] = [];
  for (let start = 0; start <= MAX_CODE_POINT; start += 0x1000) {
    if (start >= 0xd800 && start < 0xe000) continue;
    const block = String.fromCodePoint(
      ...Array.from({ length: 0x1000 }, (_, offset) => start + offset).filter(
        (point) => point < 0xd800 || point > 0xdfff,
      ),
    );
    const width = start > 0xffff ? 2 : 1;
    for (const match of block.matchAll(runs)) {
      const low = start + match.index / width;
      ranges.push(low, low + match[0].length / width - 1);
    }
  }
  return mergeRanges(ranges);
}
