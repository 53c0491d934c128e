// Any export added here becomes public API: named exports only.
export { toCamelCase, toSnakeCase } from "./change-case.js";
export { plainWords, problemWithWords } from "./command-words.js";
export { countOf, groupDigits } from "./count-of.js";
export { cutAfter, cutBefore } from "./cut-point.js";
export { describeBytes } from "./describe-bytes.js";
export { type CommonEnds, commonEnds } from "./diff/common-ends.js";
export { type PartOfText, type SplicedDiffOptions, splicedDiff } from "./diff/spliced-diff.js";
export {
  type UnifiedDiff,
  type UnifiedDiffOptions,
  unifiedDiff,
  unifiedDiffSteps,
} from "./diff/unified-diff.js";
export { countNewlines } from "./encoding/count-newlines.js";
export { declaredCharset } from "./encoding/declared-charset.js";
export { decodeLossily } from "./encoding/decode-lossily.js";
export { DecodingError } from "./encoding/decoding-error.js";
export {
  type DetectEncodingOptions,
  type DetectedEncoding,
  detectEncoding,
  inspectEncoding,
  type ReadAs,
} from "./encoding/detect-encoding.js";
export { EncodingError } from "./encoding/encoding-error.js";
export { textFormatOf } from "./encoding/encoding-label.js";
export { looksBinary } from "./encoding/looks-binary.js";
export {
  type DecodedText,
  decodeText,
  decodeTextSteps,
  encodeText,
  encodeTextSteps,
} from "./encoding/text-codec.js";
export type { TextFormat } from "./encoding/text-format.js";
export { createTextStreamDecoder, type TextStreamDecoder } from "./encoding/text-stream-decoder.js";
export { utf8Position } from "./encoding/utf-8-position.js";
export { changesWhatRuns } from "./environment-names.js";
export { estimateTokens } from "./estimate-tokens.js";
export type { ShapeRedactor } from "./find-shapes.js";
export { detectLineEnding, dominantLineEnding, type LineEnding, withLineEnding } from "./line-ending.js";
export { countLines, type LineSpan, lineAt, lineSpans, splitLines } from "./lines.js";
export { type MarkOptions, markValue } from "./mark-value.js";
export { hasMoreValues, type JsonMeasure, measureJson } from "./measure-json.js";
export { nearestNames } from "./nearest-names.js";
export { compilePathPattern, type PathPatternOptions } from "./path-pattern.js";
export { type CompiledSelection, compilePathSelection, type PathSelection } from "./path-selection.js";
export { createShapeRedactor, redactShapes } from "./redact-shapes.js";
export { type RenderOptions, renderForHuman, renderInline, renderJson } from "./render-for-human.js";
export { findAll, replaceLiterally } from "./replace-literally.js";
export type { SecretShape } from "./secret-shapes.js";
export { type Splice, spliceText } from "./splice-text.js";
export { runAll, type Steps } from "./steps.js";
export { findTextPart, type SearchedBytes, type TextPart, type TextPlace } from "./text-part.js";
export { toBase64 } from "./to-base64.js";
export { type TruncatedText, type TruncateOptions, truncateLine, truncateText } from "./truncate-text.js";
export { untrusted } from "./untrusted.js";
export { isWellFormed } from "./well-formed.js";
export { textColumns, wrapColumns } from "./wrap-columns.js";
