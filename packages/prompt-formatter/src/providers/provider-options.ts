import type { JsonSchema, ToolDescription } from "@haft/core";
import { portableSchema } from "../schema/portable-schema.js";

export interface ProviderOptions {
  /**
   * Adds the `terminate` parameter for loops that end on it. Default: true, as in the system prompt; false for MCP,
   * whose clients have their own loops.
   */
  readonly terminate?: boolean;
}

export interface StrictOptions extends ProviderOptions {
  /** Use strict mode for every tool whose schema supports it. Default: false. */
  readonly strict?: boolean;
}

/** Returns a tool's summary followed by its guidance. */
export function describeForProvider({ summary, guidance }: ToolDescription): string {
  return guidance === undefined ? summary : `${summary}\n${guidance.trim()}`;
}

/** Parameters are always an object; providers' types require that explicitly. */
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
    description: termination ?? "true if the task is done after this call.",
  };
}
