import { renderForHuman } from "@haft/text";
import { isRecord } from "../call/plain-call.js";

/**
 * Keywords that describe a single value. Each function returns the part to keep, or undefined if the value is invalid
 * or cannot be displayed unchanged.
 */
export const KEYWORDS: Readonly<Record<string, (value: unknown) => unknown>> = {
  type: typeNames,
  title: foreignValue,
  description: foreignValue,
  default: exactly,
  const: exactly,
  enum: values,
  required: names,
  minimum: limit,
  maximum: limit,
  exclusiveMinimum: limit,
  exclusiveMaximum: limit,
  minLength: limit,
  maxLength: limit,
  minItems: limit,
  maxItems: limit,
  minProperties: limit,
  maxProperties: limit,
};

const TYPES = new Set(["string", "number", "integer", "boolean", "null", "array", "object"]);
const MAX_VALUES = 1_000;
const MAX_TEXT_CHARS = 500;
const MAX_DEPTH = 24;

function typeNames(value: unknown): unknown {
  const types = new Set(Array.isArray(value) ? value : [value]);
  if (types.size > 0 && [...types].every((type) => TYPES.has(type))) return value;
  throw new Error("its input schema has an unknown type");
}

function values(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_VALUES) return undefined;
  return exactly(value);
}

function names(value: unknown): unknown {
  return Array.isArray(value) && value.every((name) => typeof name === "string") ? value : undefined;
}

function limit(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Keeps a value only if escaping leaves it unchanged, because it is compared or sent. */
function exactly(value: unknown): unknown {
  const shown = foreignValue(value);
  return JSON.stringify(shown) === JSON.stringify(value) ? shown : undefined;
}

/** Escapes any JSON value for display. */
export function foreignValue(value: unknown): unknown {
  return shown(value, 0);
}

function shown(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Error("its input schema is too deep");
  if (typeof value === "string") return renderForHuman(value, { maxChars: MAX_TEXT_CHARS });
  if (Array.isArray(value)) return value.map((item) => shown(item, depth + 1));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "__proto__");
  return Object.fromEntries(entries.map(([key, below]) => [key, shown(below, depth + 1)]));
}
