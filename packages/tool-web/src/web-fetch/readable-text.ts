import { messageOf } from "@haft/core";
import type { WorkLimiter } from "@haft/core/capabilities";
import { measureJson } from "@haft/text";
import { stripPage, stripTags, tidyLines, withoutScripts } from "../html/strip-tags.js";
import type { ContentKind } from "./content-kind.js";
import type { WebFetchArgs } from "./web-fetch-schema.js";

export interface Readable {
  readonly text: string;
  /** Why the text is less than requested. */
  readonly note?: string;
}

export interface Source {
  readonly text: string;
  readonly kind: ContentKind;
  /** The base of relative links. */
  readonly url: string;
}

interface ConversionContext {
  readonly signal: AbortSignal;
  readonly limiter: WorkLimiter;
}

/** Converts a body to the requested format. Never fails: falls back to plain text. */
export async function readableText(
  { text, kind, url }: Source,
  format: WebFetchArgs["format"],
  { signal, limiter }: ConversionContext,
): Promise<Readable> {
  if (format === "raw") return { text };
  if (kind === "json") return format === "html" ? { text } : indentedJson(text);
  if (kind !== "html") return { text };
  if (format === "html") return { text: await withoutScripts(text) };
  if (format === "text") return { text: await stripPage(text) };
  try {
    // Loaded on demand: most calls need no conversion, and some hosts have no threads.
    const { htmlToMarkdown } = await import("./node/html-to-markdown.js");
    return { text: await tidyLines(await htmlToMarkdown({ html: text, url, signal, limiter })) };
  } catch (error) {
    signal.throwIfAborted();
    const reason = messageOf(error);
    return { text: await stripPage(text), note: `the page is shown as plain text: ${reason.slice(0, 200)}` };
  }
}

/** Returns the title of an HTML document if it is near the start. */
export function titleOf(html: string): string | undefined {
  const [, raw = ""] = /<title[^>]{0,200}>([^<]{1,500})/i.exec(html.slice(0, 65_536)) ?? [];
  const title = stripTags(raw).replace(/\s+/g, " ").trim();
  return title === "" ? undefined : title.slice(0, 200);
}

/** Checks the size first, because indenting small JSON can multiply it by thousands. */
function indentedJson(text: string): Readable {
  const { values, indentedChars } = measureJson(text);
  if (values > MAX_JSON_VALUES || indentedChars > MAX_JSON_CHARS) {
    return { text, note: "the JSON is shown without indentation: it is too large or too deeply nested" };
  }
  try {
    return { text: JSON.stringify(JSON.parse(text), null, 2) };
  } catch {
    // Truncated or not JSON: shown unchanged.
    return { text };
  }
}

const MAX_JSON_VALUES = 200_000;
const MAX_JSON_CHARS = 20 * 1024 * 1024;
