import type { JsonSchema } from "./schema.js";
import { PATH_FORMAT } from "./schema-builder.js";

/** Returns the names of the parameters that are workspace paths, or lists of them. */
export function pathParameters(schema: JsonSchema): readonly string[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  return Object.keys(properties).filter((name) => isPath(properties[name]));
}

/** Returns the workspace paths among a call's arguments, in the form that rules use. */
export function pathArguments(
  schema: JsonSchema,
  args: Readonly<Record<string, unknown>>,
): readonly string[] {
  return pathParameters(schema).flatMap((name) => {
    const value = args[name];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap((path) => (typeof path === "string" ? [path.replace(/^(?:\.\/)+/, "")] : []));
  });
}

function isPath(schema: JsonSchema | undefined): boolean {
  return schema?.format === PATH_FORMAT || (schema?.items as JsonSchema | undefined)?.format === PATH_FORMAT;
}
