import type { JsonSchema, ToolDescription } from "@haft/core";
import { portableSchema } from "../schema/portable-schema.js";

export interface ProviderOptions {
  /**
   * Adds the parameter `terminate`, for a loop that ends on it. Default: true, as in the system prompt,
   * which speaks of it; false for MCP, whose clients have loops of their own.
   */
  readonly terminate?: boolean;
}

export interface StrictOptions extends ProviderOptions {
  /** Strict mode for every tool whose schema can be said that way. Default: false. */
  readonly strict?: boolean;
}

/** What a tool does, and what a model should know beyond that. */
export function describeForProvider({ summary, guidance }: ToolDescription): string {
  return guidance === undefined ? summary : `${summary}\n${guidance.trim()}`;
}

/** Parameters are always an object; providers' types want it said. */
export type ObjectSchema = JsonSchema & { readonly type: "object" };

export function parametersOf(tool: ToolDescription, options: ProviderOptions): ObjectSchema {
  const schema: ObjectSchema = { ...portableSchema(tool.input), type: "object" };
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  if (options.terminate === false || Object.hasOwn(properties, "terminate")) return schema;
  return { ...schema, properties: { ...properties, terminate: terminateParameter(tool) } };
}

function terminateParameter({ termination }: ToolDescription): JsonSchema {
  return {
    type: "boolean",
    description: termination ?? "True when the result of this call ends the work.",
    default: false,
  };
}
