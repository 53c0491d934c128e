import { REFINEMENTS } from "./refinements.js";
import type { JsonSchema } from "./schema.js";

/**
 * Returns whether a value is clearly valid, and if so fills in its defaults. False is no verdict: anything wrong,
 * unusual or unknown goes to the full validator, which takes far longer to load than a first call takes.
 */
export function acceptPlainly(schema: JsonSchema, value: unknown): boolean {
  if (!isPlain(schema, value)) return false;
  fillDefaults(schema, value);
  return true;
}

const KNOWN: ReadonlySet<string> = new Set([
  "type",
  "description",
  "format",
  "default",
  "enum",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "items",
  "minItems",
  "maxItems",
  "properties",
  "required",
  "additionalProperties",
  "anyOf",
]);

function isPlain(schema: unknown, value: unknown): boolean {
  if (!isObject(schema) || REFINEMENTS in schema) return false;
  for (const keyword in schema) if (!KNOWN.has(keyword)) return false;
  const { type, anyOf, enum: values } = schema;
  if (Array.isArray(anyOf) && !anyOf.some((each) => isPlain(each, value))) return false;
  if (Array.isArray(values) && !(typeof value === "string" && values.includes(value))) return false;
  if (type === undefined) return Object.keys(schema).every((keyword) => UNTYPED.has(keyword));
  return typeof type === "string" && Object.hasOwn(CHECKS, type) && (CHECKS[type]?.(schema, value) ?? false);
}

/** Without a type, the other keywords apply only to some values. */
const UNTYPED: ReadonlySet<string> = new Set(["description", "anyOf", "default"]);

const CHECKS: Readonly<Record<string, (schema: JsonSchema, value: unknown) => boolean>> = {
  string: isPlainString,
  integer: (schema, value) => Number.isInteger(value) && isWithin(schema, "imum", value as number),
  number: (schema, value) => Number.isFinite(value) && isWithin(schema, "imum", value as number),
  boolean: (_, value) => typeof value === "boolean",
  array: isPlainArray,
  object: isPlainObject,
};

// Lengths count characters, and a string has at least half as many as code units: doubtful cases are not plain.
function isPlainString({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: JsonSchema, value: unknown) {
  if (typeof value !== "string") return false;
  return value.length >= 2 * (minLength as number) - 1 && value.length <= (maxLength as number);
}

function isPlainArray(schema: JsonSchema, value: unknown): boolean {
  if (!Array.isArray(value) || !isWithin(schema, "Items", value.length)) return false;
  return schema.items === undefined || value.every((item) => isPlain(schema.items, item));
}

function isPlainObject(schema: JsonSchema, value: unknown): boolean {
  if (!isObject(value)) return false;
  const { properties = {}, required = [], additionalProperties = true } = schema;
  if (!isObject(properties) || !Array.isArray(required)) return false;
  for (const key in value) {
    const others = Object.hasOwn(properties, key) || additionalProperties === true;
    if (!others && (additionalProperties === false || !isPlain(additionalProperties, value[key])))
      return false;
  }
  for (const [key, property] of Object.entries(properties)) {
    const given = ownMember(value, key);
    const present = given === undefined ? (property as JsonSchema).default : given;
    if (present !== undefined && !isPlain(property, present)) return false;
  }
  return required.every((key) => ownMember(value, key) !== undefined);
}

function isWithin(schema: JsonSchema, what: "imum" | "Items", size: number): boolean {
  const { [`min${what}`]: low = Number.NEGATIVE_INFINITY, [`max${what}`]: high = Number.POSITIVE_INFINITY } =
    schema;
  return size >= (low as number) && size <= (high as number);
}

/** Fills in the defaults of missing members. Skips alternatives, because the intended one is not known. */
export function fillDefaults(schema: unknown, value: unknown): void {
  if (!isObject(schema)) return;
  if (Array.isArray(value)) for (const item of value) fillDefaults(schema.items, item);
  else if (isObject(value)) {
    for (const [key, property] of Object.entries((schema.properties ?? {}) as JsonSchema)) {
      const { default: preset } = property as JsonSchema;
      const isMissing = ownMember(value, key) === undefined;
      if (isMissing && preset !== undefined) value[key] = structuredClone(preset);
      fillDefaults(property, ownMember(value, key));
    }
    fillOthers(schema, value);
  }
}

function fillOthers(
  { properties = {}, additionalProperties }: JsonSchema,
  value: Record<string, unknown>,
): void {
  if (!isObject(additionalProperties)) return;
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(properties as object, key)) fillDefaults(additionalProperties, value[key]);
  }
}

/** Ignores inherited members: a parameter may be called `toString`. */
function ownMember(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
