import type { JsonSchema } from "@haft/core";

/** Applies a function to every direct subschema. Leaves defaults and enums unchanged. */
export function mapSubschemas(schema: JsonSchema, change: (below: JsonSchema) => JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    changed(keyword, value, change),
  ]);
  return Object.fromEntries(entries);
}

function changed(keyword: string, value: unknown, change: (below: JsonSchema) => JsonSchema): unknown {
  if (HOLDS_SCHEMA.has(keyword) && isSchema(value)) return change(value);
  if (HOLDS_LIST.has(keyword) && Array.isArray(value))
    return value.map((item) => (isSchema(item) ? change(item) : item));
  if (!HOLDS_MAP.has(keyword) || !isSchema(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSchema(item) ? change(item) : item]),
  );
}

const HOLDS_SCHEMA: ReadonlySet<string> = new Set([
  "items",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
]);
const HOLDS_LIST: ReadonlySet<string> = new Set(["anyOf", "allOf", "oneOf", "prefixItems"]);
const HOLDS_MAP: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
