import type { JsonSchema, Schema } from "./schema.js";

/** Assigns a type to a JSON Schema that is not a literal, such as an MCP tool's schema or a loaded file. */
export function fromJsonSchema<Given = unknown, Parsed = Given>(schema: JsonSchema): Schema<Given, Parsed> {
  return schema;
}
