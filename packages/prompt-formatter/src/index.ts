// Any export added here becomes public API: named exports only.

export { type ApprovalView, type ApprovalViewOptions, approvalView } from "./approval-view.js";
export { argumentsText } from "./arguments-text.js";
export { compactTools } from "./compact-tools.js";
export { denyUnshowable } from "./deny-unshowable.js";
export { formatApproval } from "./format-approval.js";
export { turnTokens } from "./format-compact.js";
export { formatSystemPrompt } from "./format-system-prompt.js";
export { type CategoryGroup, groupByCategory } from "./group-by-category.js";
export {
  type ProjectInstructions,
  type ProjectSkill,
  type PromptEnvironment,
  type PromptFlavour,
  type PromptOptions,
  type PromptStats,
  type PromptStyle,
  promptStats,
} from "./prompt-options.js";
export { type AnthropicTool, toAnthropicTools } from "./providers/anthropic-tools.js";
export { formatTools, PROVIDERS, type ProviderName, type ProviderTools } from "./providers/format-tools.js";
export { type GeminiTools, toGeminiTools } from "./providers/gemini-tools.js";
export { type McpAnnotations, type McpTool, mcpAnnotations, toMcpTools } from "./providers/mcp-tools.js";
export { type OpenAiResponsesTool, toOpenAiResponsesTools } from "./providers/openai-responses-tools.js";
export { type OpenAiTool, toOpenAiTools } from "./providers/openai-tools.js";
export type { ObjectSchema, ProviderOptions, StrictOptions } from "./providers/provider-options.js";
export {
  type AnthropicToolResult,
  type GeminiFunctionResponse,
  type OpenAiResponsesOutput,
  type OpenAiToolMessage,
  toAnthropicToolResult,
  toGeminiFunctionResponse,
  toOpenAiResponsesOutput,
  toOpenAiToolMessage,
} from "./providers/tool-results.js";
export { portableSchema } from "./schema/portable-schema.js";
export { strictSchema, stripNulls } from "./schema/strict-schema.js";
