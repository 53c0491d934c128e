import { type CharRanges, MAX_CODE_POINT, mergeRanges } from "./char-ranges.js";
import { scanProperty } from "./scan-property.js";
import { CATEGORY_RANGES, DIGIT_RANGES, SCRIPT_RANGES, WORD_RANGES } from "./unicode-tables.js";

/** Returns the ranges of `\d`, `\s` or `\w` (lower-case letter), in Unicode or ASCII. */
export function perlClass(letter: "d" | "s" | "w", unicode: boolean): CharRanges {
  if (letter === "s") return unicode ? SPACE_RANGES : ASCII_CLASSES.space;
  if (letter === "d") return unicode ? decodeRanges(DIGIT_RANGES) : ASCII_CLASSES.digit;
  return unicode ? decodeRanges(WORD_RANGES) : ASCII_CLASSES.word;
}

/**
 * Returns the ranges of `\p{name}`, or undefined for an unknown property. Calls `onRare` before looking up a property
 * without a table.
 */
export function propertyRanges(name: string, onRare: (key: string) => void): CharRanges | undefined {
  const key = normalizeName(name);
  if (key === "any") return [0, MAX_CODE_POINT];
  if (key === "ascii") return [0, 0x7f];
  if (key === "assigned")
    return mergeRanges(Object.values(CATEGORY_RANGES).flatMap((text) => decodeRanges(text)));
  const tabled = properties.get(key) ?? tabledRanges(key);
  if (tabled === undefined) onRare(key);
  const ranges = tabled ?? scanned.get(key) ?? scanProperty(name);
  if (ranges) (tabled ? properties : scanned).set(key, ranges);
  return ranges;
}

const properties = new Map<string, CharRanges>();
/** At most one entry for each property of the standard, however it is spelled. */
const scanned = new Map<string, CharRanges>();

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

const decoded = new Map<string, CharRanges>();

/** Caches decoded tables; there are few of them. */
function decodeRanges(text: string): CharRanges {
  const ranges = decoded.get(text) ?? decode(text);
  decoded.set(text, ranges);
  return ranges;
}

function decode(text: string): number[] {
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

// The common categories and scripts, by their short or long names, with or without "gc=" or "sc=".
function tabledRanges(key: string): CharRanges | undefined {
  const [left, right] = key.split(/[=:]/, 2) as [string, string | undefined];
  const value = right ?? left;
  const kind = right === undefined ? "any" : left;
  if (kind !== "sc" && kind !== "script") {
    const short = CATEGORY_NAMES[value] ?? value;
    const tables = Object.entries(CATEGORY_RANGES).filter(([name]) => isPartOf(name.toLowerCase(), short));
    if (tables.length > 0) return mergeRanges(tables.flatMap(([, text]) => decodeRanges(text)));
  }
  if (kind !== "any" && kind !== "sc" && kind !== "script") return undefined;
  const script = Object.keys(SCRIPT_RANGES).find((name) => name.toLowerCase() === value);
  return script === undefined ? undefined : decodeRanges(SCRIPT_RANGES[script] as string);
}

// "l" is all of lu, ll, lt, lm, lo. The unassigned part of "c" has no table, so V8 computes "c".
function isPartOf(category: string, wanted: string): boolean {
  if (wanted === "lc") return category === "lu" || category === "ll" || category === "lt";
  return category === wanted || (wanted.length === 1 && wanted !== "c" && category[0] === wanted);
}

const CATEGORY_NAMES: Readonly<Record<string, string>> = {
  letter: "l",
  casedletter: "lc",
  uppercaseletter: "lu",
  lowercaseletter: "ll",
  titlecaseletter: "lt",
  modifierletter: "lm",
  otherletter: "lo",
  mark: "m",
  number: "n",
  decimalnumber: "nd",
  punctuation: "p",
  punct: "p",
  connectorpunctuation: "pc",
  dashpunctuation: "pd",
  symbol: "s",
  mathsymbol: "sm",
  currencysymbol: "sc",
  separator: "z",
  spaceseparator: "zs",
  control: "cc",
  cntrl: "cc",
  format: "cf",
};
