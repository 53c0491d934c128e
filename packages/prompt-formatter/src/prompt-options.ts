import { estimateTokens } from "@haft/text";

export type PromptFlavour = "markdown" | "xml";

export interface PromptOptions {
  /** How the prompt is marked up. Default: markdown. */
  readonly flavour?: PromptFlavour;
  /** Put before the tools, as it is. */
  readonly introduction?: string;
  /** Whether calls carry `terminate`; left out of the prompt when the loop has no such thing. Default: true. */
  readonly terminate?: boolean;
}

export interface PromptStats {
  readonly characters: number;
  /** An estimate: four characters a token, one for each CJK character. */
  readonly tokens: number;
}

export function promptStats(prompt: string): PromptStats {
  return { characters: prompt.length, tokens: estimateTokens(prompt) };
}
