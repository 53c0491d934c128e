/** A tag, or the raw text between two tags. */
type HtmlToken =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tag"; readonly name: string; readonly isClosing: boolean; readonly text: string };

/**
 * Yields the tokens of an HTML text in one pass and linear time. Skips comments and the named elements with their
 * content.
 */
export function* htmlTokens(html: string, skipped: ReadonlySet<string>): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const textEnd = open === -1 ? html.length : open;
    for (let start = at; start < textEnd; start = cutOf(html, start, textEnd))
      yield { type: "text", text: html.slice(start, cutOf(html, start, textEnd)) };
    if (open === -1) return;
    if (html.startsWith("<!--", open)) {
      at = after(html, "-->", open + 4);
      continue;
    }
    const name = tagName(html, open);
    if (name === undefined) {
      yield { type: "text", text: "<" };
      at = open + 1;
      continue;
    }
    at = after(html, ">", open);
    const isClosing = html[open + 1] === "/";
    if (!isClosing && skipped.has(name)) at = afterElement(html, name, at);
    else yield { type: "tag", name, isClosing, text: html.slice(open, at) };
  }
}

/** Returns where to cut a piece of text: long text is split, preferably before white space or an entity. */
function cutOf(html: string, start: number, end: number): number {
  const limit = start + MAX_TEXT_CHARS;
  if (limit >= end) return end;
  for (let cut = limit; cut > limit - NEAR_CHARS; cut -= 1)
    if (BREAK.test(html.charAt(cut)) && !BREAK.test(html.charAt(cut - 1))) return cut;
  return limit;
}

const MAX_TEXT_CHARS = 16_384;
const NEAR_CHARS = 64;
const BREAK = /[\s&]/;

/** Returns undefined for a "<" that does not start a tag. Declarations such as `<!doctype>` are named "!". */
function tagName(html: string, open: number): string | undefined {
  const [, name] = TAG.exec(html.slice(open, open + 40)) ?? [];
  return name?.toLowerCase();
}

const TAG = /^<\/?([a-z][a-z0-9:-]{0,30}|[!?])/i;

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

/** An unclosed element extends to the end, as in browsers. */
function afterElement(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}(?![a-z0-9:-])`, "gi");
  closing.lastIndex = from;
  const found = closing.exec(html);
  return found === null ? html.length : after(html, ">", found.index);
}
