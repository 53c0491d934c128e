// For programs that draw untrusted text themselves: finds hidden characters, and parses lines of Markdown.
export type { InlineStyle } from "./markdown/emphasis-stack.js";
export {
  type InlineOptions,
  type InlineSpan,
  type InlineText,
  parseInline,
} from "./markdown/parse-inline.js";
export { isTableRule, tableCells } from "./markdown/table-line.js";
export { splitHidden, type TextRun } from "./render-for-human.js";
