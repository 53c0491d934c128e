import { Pace } from "@haft/core/workspace";
import { decodeEntities } from "./decode-entities.js";
import { htmlTokens } from "./html-tokens.js";

/**
 * Returns the readable text of a short piece of HTML: blocks on their own lines, lists with dashes, decoded entities.
 */
export function stripTags(html: string): string {
  return [...tidyParts([...textParts(html)].join(""))].join("").trimEnd();
}

/** Does the same for pages of any size without blocking the event loop. */
export async function stripPage(html: string): Promise<string> {
  return tidyLines(await joinInTurns(textParts(html)));
}

/** Returns HTML source without scripts and styles. Does not block the event loop. */
export function withoutScripts(html: string): Promise<string> {
  return joinInTurns(sourceParts(html));
}

/** Trims line ends and collapses blank lines. Does not block the event loop. */
export async function tidyLines(text: string): Promise<string> {
  return (await joinInTurns(tidyParts(text))).trimEnd();
}

function* textParts(html: string): Generator<string> {
  let preformatted = 0;
  for (const token of htmlTokens(html, LEFT_OUT)) {
    if (token.type === "text") {
      const text = decodeEntities(token.text);
      yield preformatted > 0 ? text : text.replace(/\s+/g, " ");
      continue;
    }
    if (token.name === "pre") preformatted = Math.max(0, preformatted + (token.isClosing ? -1 : 1));
    if (token.name === "li" && !token.isClosing) yield "\n- ";
    else if (CELLS.has(token.name)) yield token.isClosing ? " | " : "";
    else yield BLOCKS.has(token.name) ? "\n" : "";
  }
}

function* sourceParts(html: string): Generator<string> {
  for (const { text } of htmlTokens(html, SCRIPTS)) yield text;
}

/** Yields one part per line, empty for skipped lines, so that the caller can pause. */
function* tidyParts(text: string): Generator<string> {
  let [isFirst, isAfterEmpty] = [true, true];
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end).trimEnd();
    const isKept = line !== "" || !isAfterEmpty;
    yield isKept && !isFirst ? `\n${line}` : line;
    if (isKept) isFirst = false;
    isAfterEmpty = line === "";
    start = end + 1;
  }
}

async function joinInTurns(parts: Iterable<string>): Promise<string> {
  const pace = new Pace();
  const blocks: string[] = [];
  let [block, chars]: [string[], number] = [[], 0];
  for (const part of parts) {
    block.push(part);
    chars += part.length;
    if (block.length < BLOCK_PARTS && chars < BLOCK_CHARS) continue;
    blocks.push(block.join(""));
    [block, chars] = [[], 0];
    await pace.breathe();
  }
  return [...blocks, ...block].join("");
}

const BLOCK_PARTS = 4_096;
const BLOCK_CHARS = 65_536;
const SCRIPTS = new Set(["script", "style", "noscript", "template", "iframe", "object", "svg"]);
const LEFT_OUT = new Set([...SCRIPTS, "nav", "title", "select", "button"]);
const CELLS = new Set(["td", "th"]);
const BLOCKS = new Set(
  "address article aside blockquote body br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main ol option p pre section summary table tbody tfoot thead tr ul".split(
    " ",
  ),
);
