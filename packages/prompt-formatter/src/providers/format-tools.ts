import type { ToolDescription } from "@haft/core";
import { toAnthropicTools } from "./anthropic-tools.js";
import { toGeminiTools } from "./gemini-tools.js";
import { toMcpTools } from "./mcp-tools.js";
import { toOpenAiResponsesTools } from "./openai-responses-tools.js";
import { toOpenAiTools } from "./openai-tools.js";
import type { StrictOptions } from "./provider-options.js";

export const PROVIDERS = ["openai", "openai-responses", "anthropic", "gemini", "mcp"] as const;

export type ProviderName = (typeof PROVIDERS)[number];

/** Tool definitions in the format a provider takes, ready to be sent as its `tools`. */
export function formatTools(
  tools: readonly ToolDescription[],
  provider: ProviderName,
  options: StrictOptions = {},
): readonly object[] {
  return FORMATTERS[provider](tools, options);
}

const FORMATTERS: Readonly<
  Record<ProviderName, (tools: readonly ToolDescription[], options: StrictOptions) => readonly object[]>
> = {
  openai: toOpenAiTools,
  "openai-responses": toOpenAiResponsesTools,
  anthropic: toAnthropicTools,
  gemini: toGeminiTools,
  mcp: toMcpTools,
};
