import { estimateTokens, truncateText } from "@haft/text";

/** The one budget for what a model reads: cuts a text to it, with a notice at the end. */
export function boundText(text: string, maxTokens: number): string {
  // A token is at least one character: most texts pass without being counted.
  if (text.length <= maxTokens) return text;
  const tokens = estimateTokens(text);
  if (tokens <= maxTokens) return text;
  const maxChars = Math.max(0, Math.floor((text.length * maxTokens) / tokens) - NOTICE_ROOM);
  const cut = truncateText(text, { maxChars });
  return `${cut.text}\n[cut: ${cut.omittedChars} more characters, about ${tokens} tokens in all; narrow the call to see the rest]`;
}

export const DEFAULT_MAX_TOKENS = 12_000;

const NOTICE_ROOM = 120;
