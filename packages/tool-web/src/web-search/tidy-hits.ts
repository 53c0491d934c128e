import { redactShapes, type ShapeRedactor, truncateText } from "@haft/text";
import { stripTags } from "../html/strip-tags.js";
import type { SearchHit } from "./search-provider.js";

/** Keeps http and https addresses, each once, with titles and snippets as bounded plain text. */
export function tidyHits(
  hits: readonly SearchHit[],
  count: number,
  redact: ShapeRedactor = redactShapes,
): SearchHit[] {
  const seen = new Set<string>();
  const tidy: SearchHit[] = [];
  for (const { title, url, snippet } of hits) {
    const address = addressOf(url);
    if (address === undefined || seen.has(address.key)) continue;
    seen.add(address.key);
    tidy.push({
      title: plain(title, TITLE_CHARS, redact) || address.href,
      url: address.href,
      snippet: plain(snippet, SNIPPET_CHARS, redact),
    });
    if (tidy.length === count) break;
  }
  return tidy;
}

const TITLE_CHARS = 200;
const SNIPPET_CHARS = 300;
const URL_CHARS = 2_000;

/** Returns the same key for different spellings of one address. */
function addressOf(text: string): { readonly href: string; readonly key: string } | undefined {
  if (text.length > URL_CHARS || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  // Credentials are never shown.
  url.username = "";
  url.password = "";
  const path = url.pathname.replace(/\/$/, "");
  return { href: url.href, key: `${url.host.replace(/^www\./, "")}${path}${url.search}` };
}

function plain(text: string, maxChars: number, redact: ShapeRedactor): string {
  const line = redact(stripTags(text.slice(0, 10_000)))
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= maxChars) return line;
  return `${truncateText(line, { maxChars: maxChars - 1 }).text.trimEnd()}…`;
}
