/** A piece of HTML: a tag, or the text between two tags as it stands there. */
export type HtmlToken =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tag"; readonly name: string; readonly isClosing: boolean; readonly text: string };

/**
 * The pieces of an HTML text, in one pass and in time proportional to its length whatever it holds.
 * Comments, and the elements that are named, are left out with all that is in them.
 */
export function* htmlTokens(html: string, leftOut: ReadonlySet<string>): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const textEnd = open === -1 ? html.length : open;
    if (textEnd > at) yield { type: "text", text: html.slice(at, textEnd) };
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
    if (!isClosing && leftOut.has(name)) at = afterElement(html, name, at);
    else yield { type: "tag", name, isClosing, text: html.slice(open, at) };
  }
}

/** Undefined for a "<" that starts no tag. Declarations such as `<!doctype>` have the name "!". */
function tagName(html: string, open: number): string | undefined {
  const [, name] = TAG.exec(html.slice(open, open + 40)) ?? [];
  return name?.toLowerCase();
}

const TAG = /^<\/?([a-z][a-z0-9:-]{0,30}|[!?])/i;

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

/** An element that is not closed reaches to the end, as it does in browsers. */
function afterElement(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}(?![a-z0-9:-])`, "gi");
  closing.lastIndex = from;
  const found = closing.exec(html);
  return found === null ? html.length : after(html, ">", found.index);
}
