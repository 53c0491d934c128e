import type { ToolDescription } from "@haft/core";
import { type AnthropicTool, toAnthropicTools } from "./anthropic-tools.js";
import { type GeminiTools, toGeminiTools } from "./gemini-tools.js";
import { type McpTool, toMcpTools } from "./mcp-tools.js";
import { type OpenAiResponsesTool, toOpenAiResponsesTools } from "./openai-responses-tools.js";
import { type OpenAiTool, toOpenAiTools } from "./openai-tools.js";
import type { StrictOptions } from "./provider-options.js";

export const PROVIDERS = ["openai", "openai-responses", "anthropic", "gemini", "mcp"] as const;

export type ProviderName = (typeof PROVIDERS)[number];

/** Formats tool definitions for a provider's `tools` parameter. */
export function formatTools<P extends ProviderName>(
  tools: readonly ToolDescription[],
  provider: P,
  options: StrictOptions = {},
): ProviderTools[P] {
  return FORMATTERS[provider](tools, options);
}

/** The type of `tools` in each provider's SDK. */
export interface ProviderTools {
  readonly openai: OpenAiTool[];
  readonly "openai-responses": OpenAiResponsesTool[];
  readonly anthropic: AnthropicTool[];
  readonly gemini: GeminiTools[];
  readonly mcp: McpTool[];
}

const FORMATTERS: {
  readonly [P in ProviderName]: (
    tools: readonly ToolDescription[],
    options: StrictOptions,
  ) => ProviderTools[P];
} = {
  openai: toOpenAiTools,
  "openai-responses": toOpenAiResponsesTools,
  anthropic: toAnthropicTools,
  gemini: toGeminiTools,
  mcp: toMcpTools,
};
