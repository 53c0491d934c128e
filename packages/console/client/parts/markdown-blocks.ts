import { isTableRule, tableCells } from "@haft/text/display";
import type { Block, ListItem } from "./markdown-block.js";

/** Parses Markdown as models write it. Unknown syntax becomes a paragraph. */
export function blocksOf(text: string): readonly Block[] {
  return blocksIn(text.split("\n"), 0);
}

/** Deeper lists and quotes become paragraphs. */
const MAX_DEPTH = 8;

function blocksIn(lines: readonly string[], depth: number): readonly Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    if (isBlank(lines[at])) {
      at++;
      continue;
    }
    const [block, next] = blockAt(lines, at, depth);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

/** A block, and the index of the line after it. */
type Taken = readonly [block: Block, next: number];

function blockAt(lines: readonly string[], at: number, depth: number): Taken {
  const line = lines[at] ?? "";
  const fence = FENCE.exec(line);
  if (fence !== null) return takeCode(lines, at, fence);
  const heading = HEADING.exec(line);
  if (heading !== null) return [{ kind: "heading", text: headingText(heading[1] ?? "") }, at + 1];
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1];
  if (isTable(lines, at)) return takeTable(lines, at);
  if (depth < MAX_DEPTH && QUOTE.test(line)) return takeQuote(lines, at, depth);
  const item = depth < MAX_DEPTH ? itemIn(line) : undefined;
  return item === undefined ? takeParagraph(lines, at, depth) : takeList(lines, { at, item, depth });
}

const FENCE = /^(\s*)(`{3,}(?=[^`]*$)|~{3,})\s*([\w+#-]*)/;
const HEADING = /^ {0,3}#{1,6}\s+(\S.*)$/;
const RULE = /^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const QUOTE = /^ {0,3}>\s?/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])(\s+)(.*)$/;
const TASK = /^\[([ xX])\]\s+/;

/** Removes the number signs that may close a heading. */
function headingText(text: string): string {
  return text.trimEnd().replace(/(?<!\s)\s+#+$/, "");
}

function takeCode(lines: readonly string[], at: number, fence: RegExpExecArray): Taken {
  const [, indent = "", mark = "", language = ""] = fence;
  let last = at + 1;
  while (last < lines.length && !isClosing(lines[last] ?? "", mark)) last++;
  const text = lines.slice(at + 1, last).map((line) => withoutIndent(line, indent.length));
  return [{ kind: "code", text: text.join("\n"), language }, last + 1];
}

function isClosing(line: string, mark: string): boolean {
  const trimmed = line.trim();
  return trimmed.startsWith(mark) && trimmed === (mark[0] ?? "").repeat(trimmed.length);
}

function isTable(lines: readonly string[], at: number): boolean {
  const rule = lines[at + 1] ?? "";
  return (lines[at] ?? "").includes("|") && rule.includes("|") && isTableRule(rule);
}

function takeTable(lines: readonly string[], at: number): Taken {
  let next = at + 2;
  while (next < lines.length && (lines[next] ?? "").includes("|")) next++;
  const rows = [lines[at] ?? "", ...lines.slice(at + 2, next)].map(tableCells);
  return [{ kind: "table", rows }, next];
}

function takeQuote(lines: readonly string[], at: number, depth: number): Taken {
  let next = at;
  while (next < lines.length && QUOTE.test(lines[next] ?? "")) next++;
  const inner = lines.slice(at, next).map((line) => line.replace(QUOTE, ""));
  return [{ kind: "quote", blocks: blocksIn(inner, depth + 1) }, next];
}

interface Item {
  readonly indent: number;
  readonly number: number | undefined;
  readonly text: string;
}

function itemIn(line: string): Item | undefined {
  const item = ITEM.exec(line);
  if (item === null || RULE.test(line)) return undefined;
  const [, indent = "", sign = "", , text = ""] = item;
  const number = /^\d/.test(sign) ? Number.parseInt(sign, 10) : undefined;
  return { indent: widthOf(indent), number, text };
}

interface ListStart {
  readonly at: number;
  readonly item: Item;
  readonly depth: number;
}

function takeList(lines: readonly string[], { at, item: first, depth }: ListStart): Taken {
  const items: ListItem[] = [];
  let next = at;
  for (let item: Item | undefined = first; item !== undefined && isSibling(item, first); ) {
    const end = endOfItem(lines, next + 1, item.indent);
    items.push(listItem(item, lines.slice(next + 1, end), depth));
    next = end;
    while (next < lines.length && isBlank(lines[next])) next++;
    item = itemIn(lines[next] ?? "");
  }
  return [{ kind: "list", start: first.number, items }, next];
}

function isSibling(item: Item, first: Item): boolean {
  const isSameKind = (item.number === undefined) === (first.number === undefined);
  return isSameKind && Math.abs(item.indent - first.indent) < NESTING;
}

/** Models indent nested lists by two spaces, even below a number. */
const NESTING = 2;

/** Returns the end of an item: its next sibling, or text after a blank line that is not indented. */
function endOfItem(lines: readonly string[], from: number, indent: number): number {
  let at = from;
  let lastFilled = from - 1;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (isBlank(line)) continue;
    const isInside = indentOf(line) >= indent + NESTING;
    const isLazy = at === lastFilled + 1 && itemIn(line) === undefined && !startsBlock(lines, at);
    if (!isInside && !isLazy) break;
    lastFilled = at;
  }
  return lastFilled + 1;
}

function listItem({ indent, text }: Item, below: readonly string[], depth: number): ListItem {
  const task = TASK.exec(text);
  const least = below
    .filter((line) => !isBlank(line))
    .reduce((width, line) => Math.min(width, indentOf(line)), Number.POSITIVE_INFINITY);
  const inner = below.map((line) => withoutIndent(line, Math.max(indent + NESTING, least)));
  const blocks = blocksIn([task === null ? text : text.slice(task[0].length), ...inner], depth + 1);
  return { isDone: task === null ? undefined : task[1] !== " ", blocks };
}

function takeParagraph(lines: readonly string[], at: number, depth: number): Taken {
  let next = at + 1;
  while (next < lines.length && !isBlank(lines[next]) && (depth >= MAX_DEPTH || !startsBlock(lines, next)))
    next++;
  return [{ kind: "paragraph", lines: brokenLines(lines.slice(at, next)) }, next];
}

/**
 * Returns whether a line ends the paragraph above it. A number other than 1 may belong to the paragraph's last
 * sentence.
 */
function startsBlock(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  const item = itemIn(line);
  if (item !== undefined && (item.number ?? 1) === 1) return true;
  return [FENCE, HEADING, RULE, QUOTE].some((start) => start.test(line)) || isTable(lines, at);
}

/** Joins lines, except after two spaces or a backslash, which are hard breaks. */
function brokenLines(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let isBroken = true;
  for (const line of lines) {
    const text = line.trim().replace(/\\$/, "");
    if (isBroken) joined.push(text);
    else joined.push(`${joined.pop() ?? ""} ${text}`);
    isBroken = / {2}$|\\$/.test(line);
  }
  return joined;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

function indentOf(line: string): number {
  return widthOf(/^\s*/.exec(line)?.[0] ?? "");
}

function widthOf(indent: string): number {
  return indent.replaceAll("\t", "    ").length;
}

function withoutIndent(line: string, width: number): string {
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  return indent.replaceAll("\t", "    ").slice(width) + line.slice(indent.length);
}
