import type { JsonSchema } from "./schema.js";

/** The supported JSON Schema drafts. Draft-06 and draft-04 are read as draft-07, 2019-09 as 2020-12. */
export type SchemaDialect = "draft-07" | "2020-12";

/** Determines the draft from `$schema` or, without it, from keywords that only the older drafts have. */
export function schemaDialect(schema: JsonSchema): SchemaDialect {
  const { $schema } = schema;
  if (typeof $schema === "string") return /\/draft-0[3467]\//.test($schema) ? "draft-07" : "2020-12";
  return isOlder(schema, 0) ? "draft-07" : "2020-12";
}

/** Returns whether a schema uses a list of schemas under `items`, or related keywords. */
function isOlder(schema: unknown, depth: number): boolean {
  if (typeof schema !== "object" || schema === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(schema)) return schema.some((each) => isOlder(each, depth + 1));
  const { items, prefixItems } = schema as JsonSchema;
  if (prefixItems !== undefined) return false;
  if (Array.isArray(items)) return true;
  return Object.entries(schema).some(([keyword, below]) => !DATA.has(keyword) && isOlder(below, depth + 1));
}

const MAX_DEPTH = 64;

/** Values under these keywords are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);
