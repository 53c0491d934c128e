import type { JsonSchema } from "@haft/core";

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly defaultJson?: string;
  readonly description: string;
}

/** Lists required parameters first, otherwise in schema order. */
export function listParameters(input: JsonSchema): readonly Parameter[] {
  const properties = (input.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (input.required ?? []) as readonly string[];
  const all = Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeName(schema),
    isRequired: required.includes(name),
    ...(isWorthSaying(schema.default) ? { defaultJson: JSON.stringify(schema.default) } : {}),
    description: oneLine(schema.description),
  }));
  return [...all.filter(({ isRequired }) => isRequired), ...all.filter(({ isRequired }) => !isRequired)];
}

/** Stated once, so that most parameters need no default of their own. */
export const PARAMETER_RULE =
  "Optional parameters may be omitted; without a stated default they are false, empty or unused.";

function isWorthSaying(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** Describes a schema's type, such as `"a" | "b"`, `string[]` or `integer or string`. */
function typeName(schema: JsonSchema): string {
  const { type, enum: values, anyOf, items } = schema as SchemaParts;
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (anyOf !== undefined) return anyOf.map(typeName).join(" or ");
  if (type === "array") return items === undefined ? "array" : `${bracket(typeName(items))}[]`;
  if (Array.isArray(type)) return type.join(" or ");
  return typeof type === "string" ? type : "any";
}

interface SchemaParts {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
}

function bracket(type: string): string {
  return type.includes(" ") ? `(${type})` : type;
}

function oneLine(description: unknown): string {
  return typeof description === "string" ? description.replace(/\s*\n\s*/g, " ").trim() : "";
}
