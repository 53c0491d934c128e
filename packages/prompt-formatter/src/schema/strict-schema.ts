import type { JsonSchema } from "@haft/core";
import { mapSubschemas } from "./map-schema.js";
import { portableSchema } from "./portable-schema.js";

/**
 * Converts a schema for OpenAI's strict mode: every property required, optional ones nullable, no additional
 * properties, no unsupported keywords. Returns undefined if that is impossible (open objects, free JSON); the tool is
 * then offered without strict mode.
 */
export function strictSchema(schema: JsonSchema): JsonSchema | undefined {
  const portable = portableSchema(schema);
  return canBeStrict(portable) ? toStrict(portable) : undefined;
}

/** Removes nulls that strict mode added for omitted arguments. */
export function stripNulls(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => stripNulls(item, (schema.items ?? {}) as JsonSchema));
  if (typeof value !== "object" || value === null) return value;
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (member === null && property !== undefined && !allowsNull(property)) return [];
    return [[name, property === undefined ? member : stripNulls(member, property)] as const];
  });
  return Object.fromEntries(kept);
}

function canBeStrict(schema: JsonSchema): boolean {
  if (REFUSED_SHAPES.some((keyword) => keyword in schema)) return false;
  const { type, anyOf, enum: values, $ref } = schema;
  if (type === undefined && anyOf === undefined && values === undefined && $ref === undefined) return false;
  if (type === "object" && !isClosed(schema)) return false;
  let isFine = true;
  mapSubschemas(schema, (below) => {
    isFine &&= canBeStrict(below);
    return below;
  });
  return isFine;
}

function isClosed({ additionalProperties, properties }: JsonSchema): boolean {
  return additionalProperties === false || (additionalProperties === undefined && properties !== undefined);
}

function toStrict(schema: JsonSchema): JsonSchema {
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !DROPPED.has(keyword)));
  const strict = mapSubschemas(kept, toStrict);
  if (schema.type !== "object") return strict;
  const required = (schema.required ?? []) as readonly string[];
  const properties = (strict.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  return {
    ...strict,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, below]) => [
        name,
        required.includes(name) ? below : nullable(below),
      ]),
    ),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function nullable(schema: JsonSchema): JsonSchema {
  if (allowsNull(schema)) return schema;
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  if (typeof type !== "string" && !Array.isArray(type)) return { anyOf: [schema, { type: "null" }] };
  return {
    ...schema,
    type: [type, "null"].flat(),
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}

function allowsNull({ type, anyOf, enum: values }: JsonSchema): boolean {
  if (Array.isArray(anyOf)) return anyOf.some(allowsNull);
  if (Array.isArray(values)) return values.includes(null);
  if (type === undefined) return true;
  return type === "null" || (Array.isArray(type) && type.includes("null"));
}

const REFUSED_SHAPES = [
  "allOf",
  "oneOf",
  "not",
  "if",
  "patternProperties",
  "dependentSchemas",
  "dependentRequired",
  "prefixItems",
];
const DROPPED: ReadonlySet<string> = new Set([
  "default",
  "minLength",
  "maxLength",
  "uniqueItems",
  "examples",
  "minProperties",
  "maxProperties",
]);
