// The entry point "@haft/text/regex": the product's only regular expression language. Separate so that only tools
// that take a pattern load it. Any export added here becomes public API.
export {
  ASSERT,
  BYTES,
  type ByteNfa,
  isWordByte,
  MATCH,
  SPLIT,
  stepByte,
} from "./regex/byte-nfa.js";
export type { ByteTree } from "./regex/byte-tree.js";
export { type CharRanges, rangesContain } from "./regex/char-ranges.js";
export { compileNfa } from "./regex/compile-nfa.js";
export { MatchCursor } from "./regex/match-cursor.js";
export { NfaSearch, type Span } from "./regex/nfa-search.js";
export { type ParsedRegex, parseLiteral, parseRegex } from "./regex/parse-regex.js";
export { DEFAULT_FLAGS } from "./regex/regex-flags.js";
export { type ClassNode, type Look, type RegexNode, type RepeatNode, someClass } from "./regex/regex-node.js";
export { type TextMatch, TextRegex } from "./regex/text-regex.js";
export { runAll, type Steps } from "./steps.js";
