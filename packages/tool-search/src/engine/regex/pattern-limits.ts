/** Sizes above which a pattern is refused: an agent's pattern is short, a bomb is not. */
export const PATTERN_LIMITS = {
  regexLength: 4096,
  literalLength: 8192,
  nesting: 200,
  repetition: 100_000,
  /** States plus transitions of the byte automaton; about 16 bytes each. */
  automatonSize: 600_000,
} as const;
