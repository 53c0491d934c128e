import type { JsonSchema, ToolDescription } from "@haft/core";
import { describeForProvider, type ProviderOptions, parametersOf } from "./provider-options.js";

/** An entry of Gemini's `tools`, which accepts JSON Schema. */
export interface GeminiTools {
  readonly functionDeclarations: {
    readonly name: string;
    readonly description: string;
    readonly parametersJsonSchema: JsonSchema;
  }[];
}

export function toGeminiTools(
  tools: readonly ToolDescription[],
  options: ProviderOptions = {},
): GeminiTools[] {
  const functionDeclarations = tools.map((tool) => ({
    name: tool.name,
    description: describeForProvider(tool),
    parametersJsonSchema: parametersOf(tool, options),
  }));
  return [{ functionDeclarations }];
}
