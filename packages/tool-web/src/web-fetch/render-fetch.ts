import { renderInline, untrusted } from "@haft/text";
import type { WebFetchArgs, WebFetchResult } from "./web-fetch-schema.js";

/** Renders the result for the model: our facts outside, everything from the site inside the untrusted mark. */
export function renderFetch(result: WebFetchResult, { args }: { readonly args: WebFetchArgs }): string {
  const { status, url, body, title, totalChars, nextOffset } = result;
  const moved = isSameAddress(args.url, url) ? "" : " (redirected)";
  const type = renderInline(result.contentType.slice(0, 100)) || "no content type";
  const head = `HTTP ${status}, ${type}, ${result.size} bytes${moved}`;
  const inner = title === undefined || args.offset > 0 ? body : `Title: ${title}\n\n${body}`;
  const lines = [head, ...guessNote(result), untrusted(url, inner)];
  if (nextOffset !== undefined) {
    lines.push(
      `[characters ${args.offset} to ${nextOffset} of ${totalChars}; continue with offset ${nextOffset}]`,
    );
  }
  return lines.join("\n");
}

function guessNote({ encoding, encodingGuessed, encodingDoubt }: WebFetchResult): readonly string[] {
  if (encodingGuessed !== true) return [];
  const doubt = renderInline(encodingDoubt ?? "");
  return [`The encoding ${encoding} is a guess: ${doubt}. If letters look wrong, pass encoding.`];
}

function isSameAddress(given: string, answered: string): boolean {
  return URL.canParse(given) && new URL(given).href === answered;
}
