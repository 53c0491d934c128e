import type { JsonSchema } from "./schema.js";
import { PATH_FORMAT } from "./schema-builder.js";

/** The names of the parameters that are workspace paths. */
export function pathParameters(schema: JsonSchema): readonly string[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  return Object.keys(properties).filter((name) => properties[name]?.format === PATH_FORMAT);
}

/** The workspace paths among a call's arguments, in the form that rules are written in. */
export function pathArguments(
  schema: JsonSchema,
  args: Readonly<Record<string, unknown>>,
): readonly string[] {
  return pathParameters(schema).flatMap((name) => {
    const value = args[name];
    return typeof value === "string" ? [value.replace(/^(?:\.\/)+/, "")] : [];
  });
}
