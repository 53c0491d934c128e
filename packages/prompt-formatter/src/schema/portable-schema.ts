import { type JsonSchema, PATH_FORMAT } from "@haft/core";
import { mapSubschemas } from "./map-schema.js";

/** A schema as any outside reader understands it: our path format and private keywords are left out. */
export function portableSchema(schema: JsonSchema): JsonSchema {
  const standard = Object.fromEntries(
    Object.entries(schema).filter(([keyword, value]) => isStandard(keyword, value)),
  );
  return mapSubschemas(standard, portableSchema);
}

function isStandard(keyword: string, value: unknown): boolean {
  if (keyword === "$schema" || keyword === "$id") return false;
  if (keyword === "format" && value === PATH_FORMAT) return false;
  return !keyword.startsWith("x-") && !keyword.startsWith("~");
}
