import { messageOf } from "@haft/core";
import { stripTags, tidyLines, withoutScripts } from "../html/strip-tags.js";
import type { ContentKind } from "./content-kind.js";
import type { WebFetchArgs } from "./web-fetch-schema.js";

export interface Readable {
  readonly text: string;
  /** Why it is less than was asked for. */
  readonly note?: string;
}

export interface Source {
  readonly text: string;
  readonly kind: ContentKind;
  /** What relative links are relative to. */
  readonly url: string;
}

/** A body in the format that was asked for. Never fails: what cannot be converted is shown as plain text. */
export async function readableText(
  { text, kind, url }: Source,
  format: WebFetchArgs["format"],
  signal: AbortSignal,
): Promise<Readable> {
  if (format === "raw") return { text };
  if (kind === "json") return { text: format === "html" ? text : prettyJson(text) };
  if (kind !== "html") return { text };
  if (format === "html") return { text: withoutScripts(text) };
  if (format === "text") return { text: stripTags(text) };
  try {
    // Loaded here because most calls need no conversion, and some hosts have no threads.
    const { htmlToMarkdown } = await import("./node/html-to-markdown.js");
    return { text: tidyLines(await htmlToMarkdown({ html: text, url, signal })) };
  } catch (error) {
    signal.throwIfAborted();
    const reason = messageOf(error);
    return { text: stripTags(text), note: `the page is shown as plain text: ${reason.slice(0, 200)}` };
  }
}

/** The title of an HTML document, if it has one near its start. */
export function titleOf(html: string): string | undefined {
  const [, raw = ""] = /<title[^>]{0,200}>([^<]{1,500})/i.exec(html.slice(0, 65_536)) ?? [];
  const title = stripTags(raw).replace(/\s+/g, " ").trim();
  return title === "" ? undefined : title.slice(0, 200);
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Cut off, or not JSON after all: as it is.
    return text;
  }
}
