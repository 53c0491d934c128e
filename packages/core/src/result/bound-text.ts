import { estimateTokens, truncateText } from "@haft/text";

/** Truncates a text to the model's token budget, with a notice at the end. The only place that applies the budget. */
export function boundText(text: string, maxTokens: number): string {
  // A token has at least one character, so most texts need no counting.
  if (text.length <= maxTokens) return text;
  const tokens = estimateTokens(text);
  if (tokens <= maxTokens) return text;
  const maxChars = Math.max(0, Math.floor((text.length * maxTokens) / tokens) - NOTICE_ROOM);
  const cut = truncateText(text, { maxChars });
  return `${cut.text}\n[cut: ${cut.omittedChars} more characters, about ${tokens} tokens in all; narrow the call to see the rest]`;
}

export const DEFAULT_MAX_TOKENS = 12_000;

const NOTICE_ROOM = 120;
