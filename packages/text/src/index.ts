// Any export added here becomes public API: named exports only.
export { toCamelCase, toSnakeCase } from "./change-case.js";
export { DecodingError } from "./decoding-error.js";
export { type DetectEncodingOptions, detectEncoding } from "./detect-encoding.js";
export { EncodingError } from "./encoding-error.js";
export { estimateTokens } from "./estimate-tokens.js";
export { detectLineEnding, dominantLineEnding, type LineEnding, withLineEnding } from "./line-ending.js";
export { countLines, type LineSpan, lineSpans, splitLines } from "./lines.js";
export { looksBinary } from "./looks-binary.js";
export { nearestNames } from "./nearest-names.js";
export { compilePathPattern, type PathPatternOptions } from "./path-pattern.js";
export { type RenderOptions, renderForHuman, renderInline } from "./render-for-human.js";
export { findAll, replaceLiterally } from "./replace-literally.js";
export { type DecodedText, decodeText, encodeText } from "./text-codec.js";
export type { TextFormat } from "./text-format.js";
export { createTextStreamDecoder, type TextStreamDecoder } from "./text-stream-decoder.js";
export { type TruncatedText, type TruncateOptions, truncateLine, truncateText } from "./truncate-text.js";
export { type UnifiedDiff, type UnifiedDiffOptions, unifiedDiff } from "./unified-diff.js";
export { isWellFormed } from "./well-formed.js";
