/** A command beyond these limits is denied, never passed on as "too complex to judge". */
export const commandLimits = {
  characters: 65_536,
  simpleCommands: 200,
  nesting: 8,
  /** `{` and `$[`, for which the parser takes quadratic time. */
  braces: 1_000,
  words: 4_096,
  /** Working directories that `cd` may lead to. */
  directories: 16,
  expandedWords: 10_000,
} as const;
