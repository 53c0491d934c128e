/** Limits above which a pattern is rejected: patterns written by agents are short, pattern bombs are not. */
export const PATTERN_LIMITS = {
  regexLength: 4096,
  literalLength: 8192,
  nesting: 200,
  repetition: 100_000,
  /** States plus transitions of the byte automaton; about 16 bytes each. */
  automatonSize: 600_000,
  /** Character ranges in all classes together; `\w` alone has some 800. */
  classRanges: 60_000,
  /** Unicode properties without a table, such as `\p{Emoji}`. */
  rareProperties: 4,
} as const;
