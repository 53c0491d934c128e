import { ToolError } from "@haft/core";
import { cutAfter, cutBefore, estimateTokens } from "@haft/text";

export interface TextPage {
  readonly body: string;
  /** Where the next page starts; undefined on the last page. */
  readonly nextOffset: number | undefined;
}

/** Returns one page of a text, cut at a nearby line break and never inside a character. */
export function pageOfText(text: string, offset: number, maxChars: number): TextPage {
  if (offset > 0 && offset >= text.length) {
    throw new ToolError("INVALID_ARGUMENTS", `offset ${offset} is beyond the end of the text`, {
      hint: `It has ${text.length} characters.`,
    });
  }
  const start = cutAfter(text, offset);
  const end = endOfPage(text, start, withinTokens(text, start, maxChars));
  return { body: text.slice(start, end), nextOffset: end < text.length ? end : undefined };
}

/** Slightly below the kernel's budget, to leave room for the text around the page. */
const PAGE_TOKENS = 10_500;

function withinTokens(text: string, start: number, maxChars: number): number {
  const tokens = estimateTokens(text.slice(start, start + maxChars));
  if (tokens <= PAGE_TOKENS) return maxChars;
  // Characters that count more may all be at the start; one token each is always safe.
  const scaled = Math.floor((maxChars * PAGE_TOKENS) / tokens);
  return estimateTokens(text.slice(start, start + scaled)) <= PAGE_TOKENS ? scaled : PAGE_TOKENS;
}

function endOfPage(text: string, start: number, maxChars: number): number {
  const limit = start + maxChars;
  if (limit >= text.length) return text.length;
  const line = text.lastIndexOf("\n", limit - 1) + 1;
  if (line > start + maxChars * 0.8) return line;
  const end = cutBefore(text, limit);
  // A page has at least one character, so that reading always ends.
  return end > start ? end : cutAfter(text, limit);
}
