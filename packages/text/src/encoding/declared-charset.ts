/**
 * Returns the charset that a text declares for itself, as spelled there. Understands XML declarations,
 * `@charset`, `<meta>` tags, Python and Emacs `coding:` lines, Vim modelines and gettext catalogue headers.
 */
export function declaredCharset(text: string): string | undefined {
  if (!HINT.test(text)) return undefined;
  for (const pattern of ANYWHERE) {
    const label = pattern.exec(text)?.[1];
    if (label !== undefined) return label;
  }
  return isMarkup(text) ? (metaCharset(withoutComments(text)) ?? JSP.exec(text)?.[1]) : undefined;
}

const HINT = /charset|coding|fenc=/i;

/**
 * Returns whether the text begins like a page or a template: code that prints a page declares nothing about itself.
 */
function isMarkup(text: string): boolean {
  const first = text.charCodeAt(text.search(/\S/));
  return first === LESS_THAN || first === BRACE;
}

const LESS_THAN = 0x3c;
const BRACE = 0x7b;

/** As in browsers, the first meta tag counts that has a `charset` attribute or the content of a Content-Type header. */
function metaCharset(text: string): string | undefined {
  for (const [, tag = ""] of text.matchAll(META)) {
    const attributes = new Map(
      [...tag.matchAll(ATTRIBUTE)].map(([, name = "", ...values]) => [
        name.toLowerCase(),
        values.find((value) => value !== undefined) ?? "",
      ]),
    );
    const label =
      LABEL.exec(attributes.get("charset") ?? "") ?? CONTENT.exec(attributes.get("content") ?? "");
    if (label?.[1] !== undefined) return label[1];
  }
  return undefined;
}

const META = /<meta[\s/]([^>]{0,400})/gi;
const ATTRIBUTE = /([^\s=>"'/]{1,40})\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s"'>]+))/g;
const LABEL = /^\s*([\w:.-]+)/;
const CONTENT = /^\s*[\w.+-]+\/[\w.+-]+\s*;?\s*charset\s*=\s*["']?\s*([\w:.-]+)/i;

function withoutComments(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = text.indexOf("<!--"); start !== -1; start = text.indexOf("<!--", at)) {
    parts.push(text.slice(at, start));
    const end = text.indexOf("-->", start + 2);
    if (end === -1) return parts.join("");
    at = end + 3;
  }
  return parts.join("") + text.slice(at);
}

const ANYWHERE = [
  /^<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([\w:.-]+)/i,
  /^@charset\s+["']([\w:.-]+)["'];/i,
  // Python and Emacs only read the first two lines.
  /^(?:[^\n]{0,400}\n)?[^\n]{0,400}-\*-[^\n]{0,200}?\bcoding:\s*([\w.-]+)/,
  /^(?:[^\n]{0,400}\n)?[ \t\f]*#[^\n]{0,200}?coding[:=][ \t]*([\w.-]+)/,
  /^(?:[^\n]{0,400}\n){0,4}[^\n]{0,200}\b(?:vim?|ex):[^\n]{0,200}?\b(?:fileencoding|fenc)=([\w.-]+)/,
  // A gettext catalogue, and the header of a message; other texts only quote such a line.
  /^"Content-Type:[^\n]{0,200}?;\s*charset=["']?([\w:.-]+)/im,
  /^(?:[A-Za-z-]{1,40}:[^\n]*\n|[ \t][^\n]*\n)*Content-Type:[^\n]{0,200}?;\s*charset=["']?([\w:.-]+)/i,
];

const JSP = /^\s*<%@[^>]{0,400}?(?:pageEncoding|charset)\s*=\s*["']?([\w:.-]+)/i;
