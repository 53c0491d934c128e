import type { JsonSchema } from "@haft/core";
import { PATH_FORMAT } from "@haft/core/kernel";
import { mapSubschemas } from "./map-schema.js";

/** Returns a schema for external consumers, without Haft's path format and private keywords. */
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
