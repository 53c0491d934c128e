import type { JsonSchema } from "../schema/schema.js";
import { PATH_FORMAT } from "../schema/schema-builder.js";
import type { ToolDescription } from "./describe-tool.js";

/** A tool in OpenAI's function-calling format. */
export interface OpenAIFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export function openAIFunction({ name, summary, guidance, input }: ToolDescription): OpenAIFunction {
  return {
    name,
    description: guidance === undefined ? summary : `${summary}\n${guidance}`,
    parameters: withoutPathFormat(input) as JsonSchema,
  };
}

/** Providers reject unknown formats. */
function withoutPathFormat(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPathFormat);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name, member]) => name !== "format" || member !== PATH_FORMAT);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutPathFormat(member)]));
}
