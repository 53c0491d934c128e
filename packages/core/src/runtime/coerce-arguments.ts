import type { JsonSchema } from "../schema/schema.js";
import { cloneJson } from "./clone-json.js";

/**
 * Fixes common, unambiguous mistakes by models: "3" for 3, "true" for true, JSON text for a list or object, one item
 * for a list of one, null for an omitted value.
 */
export function coerceArguments(args: Record<string, unknown>, schema: JsonSchema): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) result[name] = value;
    else if (value !== null || allows(property, "null")) result[name] = coerce(value, property);
  }
  return result;
}

function coerce(value: unknown, schema: JsonSchema): unknown {
  if (allows(schema, typeOf(value))) return descend(value, schema);
  if (typeof value === "string") return coerceString(value, schema);
  if (allows(schema, "array") && value !== undefined && typeof value !== "object")
    return [coerce(value, itemsOf(schema))];
  return value;
}

function coerceString(value: string, schema: JsonSchema): unknown {
  if ((allows(schema, "integer") || allows(schema, "number")) && NUMBER.test(value)) return Number(value);
  if (allows(schema, "boolean") && (value === "true" || value === "false")) return value === "true";
  const parsed = parseContainer(value);
  if (parsed !== undefined && allows(schema, typeOf(parsed))) return descend(parsed, schema);
  if (allows(schema, "array")) return [coerce(value, itemsOf(schema))];
  return value;
}

function descend(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => coerce(item, itemsOf(schema)));
  if (typeof value !== "object" || value === null || schema.properties === undefined) return value;
  return coerceArguments(value as Record<string, unknown>, schema);
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

function parseContainer(text: string): unknown {
  const start = text.trimStart()[0];
  if (start !== "[" && start !== "{") return undefined;
  const parsed = parseOrUndefined(text);
  // JSON text inside the arguments is equally untrusted: the same limits on keys, depth and characters apply.
  return parsed === undefined ? undefined : cloneJson(parsed);
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Probably intended as text; the validator reports the expected type.
    return undefined;
  }
}

function itemsOf(schema: JsonSchema): JsonSchema {
  return (schema.items ?? {}) as JsonSchema;
}

/** Returns whether a schema accepts values of a type. A schema without a type is left to the validator. */
function allows(schema: JsonSchema, type: string): boolean {
  const { type: declared, anyOf } = schema as {
    type?: string | readonly string[];
    anyOf?: readonly JsonSchema[];
  };
  if (anyOf !== undefined) return anyOf.some((alternative) => allows(alternative, type));
  if (declared === undefined) return true;
  const types = typeof declared === "string" ? [declared] : declared;
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}
