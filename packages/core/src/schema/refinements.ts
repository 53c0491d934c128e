import type { JsonSchema } from "./schema.js";

/** Where `Type.Refine` of TypeBox keeps its functions; usually not enumerable. */
export const REFINEMENTS = "~refine";

/** The same under a name that the schema compiler accepts. */
export const REFINEMENT_KEYWORD = "haft:refine";

export interface Refinement {
  check(value: unknown): boolean;
  error(value: unknown): string;
}

/** Returns a schema with its refinements as keywords, or the schema itself if it has none. */
export function withRefinements(schema: JsonSchema): JsonSchema {
  return hasRefinements(schema) ? (copied(schema) as JsonSchema) : schema;
}

function hasRefinements(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return REFINEMENTS in schema || Object.values(schema).some(hasRefinements);
}

function copied(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(copied);
  const copy = Object.fromEntries(Object.entries(schema).map(([key, member]) => [key, copied(member)]));
  if (REFINEMENTS in schema) copy[REFINEMENT_KEYWORD] = schema[REFINEMENTS];
  return copy;
}
