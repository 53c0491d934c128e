import type { Random } from "./random.js";

// Patterns and queries, and the texts on which some of them are slow.

export function hostilePatterns(count: number, random: Random): readonly string[] {
  const known = [
    "((a{100}){100}){100}",
    "x{1001}{1001}{1001}",
    "(a+)+$",
    "(a|aa)+$",
    "(.*)*b",
    "a".repeat(1_000),
    "(".repeat(500),
    `${"(".repeat(300)}a${")".repeat(300)}`,
    "[".repeat(900),
    "\\",
    "(?=a)b",
    "(a)\\1",
    "\\p{L}{1000}",
    "[\\s\\S]{0,1000}".repeat(20),
    "(?:a?){900}a{900}",
    `${"a|".repeat(400)}b`,
    "[^a]{1000}",
    "(?i)ſ",
    "^$",
    "",
  ];
  const parts = [
    "a",
    "b",
    "(",
    ")",
    "[",
    "]",
    "{2,9}",
    "*",
    "+",
    "?",
    "|",
    "\\w",
    "\\pL",
    ".",
    "^",
    "$",
    "\\b",
    "{1000}",
    "(?i)",
    "é",
  ];
  return Array.from({ length: count }, (_, index) => known[index] ?? random.text(parts, 40));
}

/** Patterns whose DFA on `hostileTextFor` has too many states to keep, or very large ones. */
export const SLOW_PATTERNS: readonly string[] = [
  "[ab]*a[ab]{200}[ab]{0,200}c|\\Bq",
  "b(?:[ab]*a[ab]{200}[ab]{0,200}c|\\Bq)",
  "(?:[ab]?){20000}a|\\Bq",
  "a(?:[ab]?){3000}",
  "(a|b){0,900}c$",
  "(?i)(ſ|K|[a-z]){1,300}9",
  "\\b(\\w+\\W*){0,40}\\bz",
  "$",
];

/** Returns letters whose order repeats late, in lines of equal length. */
export function hostileTextFor(length: number, lineLength: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0, word = 1; at < length; at++) {
    word = (word * 48_271) % 2_147_483_647;
    bytes[at] = at % lineLength === lineLength - 1 ? 0x0a : word & 0x800 ? 0x61 : 0x62;
  }
  return bytes;
}

export function hostileQueries(count: number, random: Random): readonly string[] {
  const known = [
    "a ".repeat(250),
    "é".repeat(500),
    "\u0301".repeat(500),
    "\ud800".repeat(200),
    "aB".repeat(250),
    "a-".repeat(250),
    ".*".repeat(250),
    " ",
    "\0",
    "../../../etc/passwd",
    "(((((",
    "ab ba aab abb bba baa",
  ];
  const parts = ["a", "ab", " ", "-", "_", "A", "é", "/", ".", "*", "(", "\\", "\u200d", "字", "\n"];
  return Array.from({ length: count }, (_, index) => known[index] ?? random.text(parts, 60));
}
