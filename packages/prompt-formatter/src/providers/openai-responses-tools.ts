import type { ToolDescription } from "@haft/core";
import { type OpenAiFunction, openAiFunction } from "./openai-tools.js";
import type { StrictOptions } from "./provider-options.js";

/** A tool of OpenAI's Responses API: flat, with an explicit `strict`. */
export interface OpenAiResponsesTool extends OpenAiFunction {
  readonly type: "function";
  readonly strict: boolean;
}

export function toOpenAiResponsesTools(
  tools: readonly ToolDescription[],
  options: StrictOptions = {},
): OpenAiResponsesTool[] {
  return tools.map((tool) => ({ type: "function", strict: false, ...openAiFunction(tool, options) }));
}
