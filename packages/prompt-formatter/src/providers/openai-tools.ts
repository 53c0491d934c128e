import type { JsonSchema, ToolDescription } from "@haft/core";
import { truncateText } from "@haft/text";
import { strictSchema } from "../schema/strict-schema.js";
import { describeForProvider, parametersOf, type StrictOptions } from "./provider-options.js";

/** A tool of OpenAI-compatible chat completions. */
export interface OpenAiTool {
  readonly type: "function";
  readonly function: OpenAiFunction;
}

export interface OpenAiFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly strict?: boolean;
}

export function toOpenAiTools(tools: readonly ToolDescription[], options: StrictOptions = {}): OpenAiTool[] {
  return tools.map((tool) => ({ type: "function", function: openAiFunction(tool, options) }));
}

export function openAiFunction(tool: ToolDescription, options: StrictOptions): OpenAiFunction {
  const parameters = parametersOf(tool, options);
  const strict = options.strict === true ? strictSchema(parameters) : undefined;
  return {
    name: tool.name,
    description: truncateText(describeForProvider(tool), { maxChars: MAX_DESCRIPTION_CHARS }).text,
    parameters: strict ?? parameters,
    ...(options.strict === true ? { strict: strict !== undefined } : {}),
  };
}

/** The API rejects longer ones. */
const MAX_DESCRIPTION_CHARS = 1024;
