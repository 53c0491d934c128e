import { renderForHuman } from "@haft/text";
import { isRecord } from "./wire-shapes.js";

/**
 * The keywords of another server's schema that say something about a value by itself, each with what is kept of it:
 * undefined where it is not what the keyword takes, or could not be shown as it is.
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
const MAX_WORDS_CHARS = 500;
const MAX_DEPTH = 24;

function typeNames(value: unknown): unknown {
  const types = new Set(Array.isArray(value) ? value : [value]);
  if (types.size > 0 && [...types].every((type) => TYPES.has(type))) return value;
  throw new Error("its input schema has a type that is none");
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

/** A value that is compared or sent: changed for showing, it would be another. */
function exactly(value: unknown): unknown {
  const shown = foreignValue(value);
  return JSON.stringify(shown) === JSON.stringify(value) ? shown : undefined;
}

/** Any JSON, with nothing in it that acts on a terminal. */
export function foreignValue(value: unknown): unknown {
  return shown(value, 0);
}

function shown(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Error("its input schema is too deep");
  if (typeof value === "string") return renderForHuman(value, { maxChars: MAX_WORDS_CHARS });
  if (Array.isArray(value)) return value.map((item) => shown(item, depth + 1));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "__proto__");
  return Object.fromEntries(entries.map(([key, below]) => [key, shown(below, depth + 1)]));
}
