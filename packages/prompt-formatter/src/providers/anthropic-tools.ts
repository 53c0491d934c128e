import type { ToolDescription } from "@haft/core";
import {
  describeForProvider,
  type ObjectSchema,
  type ProviderOptions,
  parametersOf,
} from "./provider-options.js";

/** A tool of Anthropic's Messages API. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: ObjectSchema;
}

export function toAnthropicTools(
  tools: readonly ToolDescription[],
  options: ProviderOptions = {},
): AnthropicTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    description: describeForProvider(tool),
    input_schema: parametersOf(tool, options),
  }));
}
