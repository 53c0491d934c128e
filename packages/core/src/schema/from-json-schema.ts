import type { JsonSchema, Schema } from "./schema.js";

/** A foreign JSON Schema (an MCP tool's, a hand-written one) with a type its author states. */
export function fromJsonSchema<Given = unknown, Parsed = Given>(schema: JsonSchema): Schema<Given, Parsed> {
  return schema;
}

/**
 * Whatever an author hands over as a schema: one of ours, plain JSON Schema, or a validator
 * library's object that speaks Standard JSON Schema (zod 4, arktype, valibot's adapter).
 */
export function toJsonSchema(schema: JsonSchema | StandardJsonSchema): JsonSchema {
  const standard = (schema as Partial<StandardJsonSchema>)["~standard"];
  if (standard === undefined) return schema as JsonSchema;
  if (standard.jsonSchema === undefined) {
    throw new TypeError(
      `this ${standard.vendor} schema cannot be turned into JSON Schema: it has no ~standard.jsonSchema`,
    );
  }
  // The input side: what a model writes. The output side would make defaulted fields required.
  return standard.jsonSchema.input({ target: "draft-2020-12" });
}

/** The part of Standard JSON Schema that is read here. */
export interface StandardJsonSchema<Given = unknown, Parsed = Given> {
  readonly "~standard": {
    readonly vendor: string;
    readonly types?: { readonly input: Given; readonly output: Parsed } | undefined;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}
