import type { Colours } from "../output/colours.js";
import type { Span } from "./words-of.js";

/** A line of Markdown without its block markers. */
export interface Block {
  readonly text: string;
  /** Prefix of the first row. */
  readonly first: string;
  /** Prefix of every other row. */
  readonly rest: string;
  /** Headings and rules are never settled early, because trailing marks may not belong to them. */
  readonly isWhole: boolean;
  readonly isCode: boolean;
  readonly isRule: boolean;
  readonly paint: Span["paint"];
}

export const PLAIN: Omit<Block, "text"> = {
  first: "",
  rest: "",
  isWhole: false,
  isCode: false,
  isRule: false,
  paint: String,
};

/** Reads the markers at the beginning of a line that is not code. Quotes may contain other blocks. */
export function proseBlock(text: string, colours: Colours, depth = 0): Block {
  const quote = depth < MAX_QUOTES ? /^ {0,3}>\s?(.*)$/s.exec(text) : null;
  if (quote !== null) return quoted(proseBlock(quote[1] ?? "", colours, depth + 1), colours);
  const heading = /^ {0,3}#{1,6}\s+(.*?)(?:\s#+)?\s*$/s.exec(text);
  if (heading !== null) return { ...PLAIN, text: heading[1] ?? "", paint: colours.bold, isWhole: true };
  if (isRule(text)) return { ...PLAIN, text, isWhole: true, isRule: true };
  return itemOf(text) ?? indented(text);
}

/** Deeper quotes are text: their prefix would fill the row, and each level costs time. */
const MAX_QUOTES = 16;

function quoted(block: Block, { dim }: Colours): Block {
  const paint = (text: string) => dim(block.paint(text));
  return { ...block, first: `│ ${block.first}`, rest: `│ ${block.rest}`, paint };
}

function itemOf(text: string): Block | undefined {
  const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/s.exec(text);
  if (item === null) return undefined;
  const [, indent = "", sign = "", rest = ""] = item;
  const isTask = /^\[[ xX]\]\s/.test(rest);
  const bullet = isTask ? "" : `${/\d/.test(sign) ? sign : "•"} `;
  const first = `${spaces(indent)}${bullet}`;
  return { ...PLAIN, text: rest, first, rest: " ".repeat(first.length + (isTask ? 4 : 0)) };
}

/** The text of an item continues below it, with its indentation. */
function indented(text: string): Block {
  const indent = spaces(/^\s*/.exec(text)?.[0] ?? "");
  return { ...PLAIN, text: text.trimStart(), first: indent, rest: indent };
}

function spaces(indent: string): string {
  return indent.replaceAll("\t", "    ");
}

function isRule(text: string): boolean {
  return /^\s*([-*_])(\s*\1){2,}\s*$/.test(text);
}
