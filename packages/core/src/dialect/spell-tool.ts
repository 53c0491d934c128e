import { toCamelCase } from "@haft/text";
import type { JsonSchema } from "../schema/schema.js";
import { PATH_FORMAT } from "../schema/schema-builder.js";
import type { AnyDefinition } from "../tool/tool-definition.js";
import type { Dialect, DialectName, ToolSpelling } from "./dialect.js";

/** A tool in a dialect's spelling, with the conversion of its arguments. */
export interface SpelledTool {
  readonly name: string;
  readonly input: JsonSchema;
  /** Canonical parameters with a different default here, for omitted arguments. */
  readonly defaults: Readonly<Record<string, unknown>> | undefined;
  /** Converts arguments from this dialect to canonical ones. Leaves unknown keys unchanged. */
  toCanonical(args: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** Converts canonical arguments to this dialect. */
  fromCanonical(args: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** Returns undefined if the dialect does not offer the tool. */
export function spellTool(definition: AnyDefinition, dialect: Dialect): SpelledTool | undefined {
  const entry = definition.dialects?.[dialect.name as DialectName];
  if (entry === "hidden") return undefined;
  const spelling = entry ?? {};
  const parameters = spelledParameters(definition, spelling, dialect);
  return {
    name: spelling.name ?? definition.name,
    input: spelledSchema(withPathNotes(definition.input, dialect) as JsonSchema, parameters, spelling),
    defaults: spelling.defaults,
    toCanonical: (args) => toCanonical(args, parameters),
    fromCanonical: (args) => fromCanonical(args, parameters),
  };
}

interface SpelledParameter {
  readonly canonical: string;
  readonly spelled: string;
  readonly inverted: boolean;
}

function spelledParameters(
  definition: AnyDefinition,
  spelling: ToolSpelling,
  dialect: Dialect,
): readonly SpelledParameter[] {
  const canonicalNames = Object.keys((definition.input.properties ?? {}) as object);
  return canonicalNames
    .filter((canonical) => !spelling.omit?.includes(canonical))
    .map((canonical) => {
      const own = spelling.parameters?.[canonical];
      if (typeof own === "object") return { canonical, spelled: own.not, inverted: true };
      const fallback = dialect.parameterCase === "camel" ? toCamelCase(canonical) : canonical;
      return { canonical, spelled: own ?? fallback, inverted: false };
    });
}

function spelledSchema(
  input: JsonSchema,
  parameters: readonly SpelledParameter[],
  spelling: ToolSpelling,
): JsonSchema {
  const isAsIs = parameters.every(({ canonical, spelled }) => canonical === spelled);
  if (isAsIs && spelling.omit === undefined && spelling.defaults === undefined) return input;
  const properties = (input.properties ?? {}) as Record<string, JsonSchema>;
  const required = (input.required ?? []) as readonly string[];
  const spelledProperties = parameters.map(({ canonical, spelled, inverted }) => {
    const schema = { ...properties[canonical], ...ownDefault(canonical, spelling) };
    return [spelled, inverted ? invertDefault(schema) : schema] as const;
  });
  return {
    ...input,
    properties: Object.fromEntries(spelledProperties),
    required: parameters
      .filter(({ canonical }) => required.includes(canonical))
      .map(({ spelled }) => spelled),
  };
}

/** Keeps a path's description; the dialect decides how paths are written. */
function withPathNotes(schema: unknown, dialect: Dialect): unknown {
  if (dialect.paths === "relative" || typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((member) => withPathNotes(member, dialect));
  const noted = Object.entries(schema).map(([name, member]) => [name, withPathNotes(member, dialect)]);
  const copy = Object.fromEntries(noted) as Record<string, unknown>;
  if (copy.format !== PATH_FORMAT || typeof copy.description !== "string") return copy;
  return { ...copy, description: `${copy.description.replace(RELATIVE_NOTE, "")} (absolute path)` };
}

/** Matches the note that a path may be relative: a last clause, with or without a remark in brackets. */
const RELATIVE_NOTE = /[,;]?\s*\(?\brelative to the workspace\)?(?:\s*\([^)]*\))?\.?/i;

function ownDefault(canonical: string, spelling: ToolSpelling): object {
  const defaults = spelling.defaults ?? {};
  return Object.hasOwn(defaults, canonical) ? { default: defaults[canonical] } : {};
}

function invertDefault(schema: JsonSchema): JsonSchema {
  const description = `Not: ${String(schema.description)}`;
  return "default" in schema
    ? { ...schema, description, default: !schema.default }
    : { ...schema, description };
}

function toCanonical(
  args: Readonly<Record<string, unknown>>,
  parameters: readonly SpelledParameter[],
): Record<string, unknown> {
  const canonical: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(args)) {
    const parameter = parameters.find(({ spelled }) => spelled === key);
    if (parameter === undefined) canonical[key] = value;
    else canonical[parameter.canonical] = parameter.inverted ? invert(value) : value;
  }
  return canonical;
}

function fromCanonical(
  args: Readonly<Record<string, unknown>>,
  parameters: readonly SpelledParameter[],
): Record<string, unknown> {
  const spelled: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(args)) {
    const parameter = parameters.find(({ canonical }) => canonical === key);
    if (parameter !== undefined) spelled[parameter.spelled] = parameter.inverted ? invert(value) : value;
  }
  return spelled;
}

function invert(value: unknown): unknown {
  if (value === "true" || value === "false") return value === "false";
  return typeof value === "boolean" ? !value : value;
}
