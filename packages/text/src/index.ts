// Any export added here becomes public API: named exports only.
export { toCamelCase, toSnakeCase } from "./change-case.js";
export { type UnifiedDiff, type UnifiedDiffOptions, unifiedDiff } from "./diff/unified-diff.js";
export { DecodingError } from "./encoding/decoding-error.js";
export { type DetectEncodingOptions, detectEncoding } from "./encoding/detect-encoding.js";
export { EncodingError } from "./encoding/encoding-error.js";
export { looksBinary } from "./encoding/looks-binary.js";
export { type DecodedText, decodeText, encodeText } from "./encoding/text-codec.js";
export type { TextFormat } from "./encoding/text-format.js";
export { createTextStreamDecoder, type TextStreamDecoder } from "./encoding/text-stream-decoder.js";
export { estimateTokens } from "./estimate-tokens.js";
export { detectLineEnding, dominantLineEnding, type LineEnding, withLineEnding } from "./line-ending.js";
export { countLines, type LineSpan, lineSpans, splitLines } from "./lines.js";
export { nearestNames } from "./nearest-names.js";
export { compilePathPattern, type PathPatternOptions } from "./path-pattern.js";
export { type RenderOptions, renderForHuman, renderInline } from "./render-for-human.js";
export { findAll, replaceLiterally } from "./replace-literally.js";
export { type TruncatedText, type TruncateOptions, truncateLine, truncateText } from "./truncate-text.js";
export { isWellFormed } from "./well-formed.js";
