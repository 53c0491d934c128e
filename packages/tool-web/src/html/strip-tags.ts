import { decodeEntities } from "./decode-entities.js";
import { htmlTokens } from "./html-tokens.js";

/** The readable text of HTML: blocks on lines of their own, lists with dashes, entities as characters. */
export function stripTags(html: string): string {
  const parts: string[] = [];
  let preformatted = 0;
  for (const token of htmlTokens(html, LEFT_OUT)) {
    if (token.type === "text") {
      const text = decodeEntities(token.text);
      parts.push(preformatted > 0 ? text : text.replace(/\s+/g, " "));
      continue;
    }
    if (token.name === "pre") preformatted = Math.max(0, preformatted + (token.isClosing ? -1 : 1));
    if (token.name === "li" && !token.isClosing) parts.push("\n- ");
    else if (CELLS.has(token.name)) parts.push(token.isClosing ? " | " : "");
    else if (BLOCKS.has(token.name)) parts.push("\n");
  }
  return tidyLines(parts.join(""));
}

/** HTML as source, without what is not for reading. */
export function withoutScripts(html: string): string {
  return [...htmlTokens(html, SCRIPTS)].map(({ text }) => text).join("");
}

/** No white space at the ends of lines, no more than one empty line. */
export function tidyLines(text: string): string {
  const lines: string[] = [];
  for (const line of text.split("\n").map((one) => one.trimEnd()))
    if (line.trim() !== "" || (lines.at(-1) ?? "") !== "") lines.push(line.trim() === "" ? "" : line);
  return lines.join("\n").trimEnd();
}

const SCRIPTS = new Set(["script", "style", "noscript", "template", "iframe", "object", "svg"]);
const LEFT_OUT = new Set([...SCRIPTS, "nav", "title", "select", "button"]);
const CELLS = new Set(["td", "th"]);
const BLOCKS = new Set(
  "address article aside blockquote body br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main ol option p pre section summary table tbody tfoot thead tr ul".split(
    " ",
  ),
);
