import { compileSchema, type JsonSchema } from "@haft/core";
import { renderForHuman } from "@haft/text";

/**
 * Another server's input schema, fit to be shown and to check arguments with. Throws where there is
 * nothing to be made of it. Patterns are left out: checking one may take longer than anybody waits.
 */
export function foreignSchema(schema: unknown): JsonSchema {
  if (JSON.stringify(schema)?.length > MAX_CHARS) throw new Error("its input schema is too large");
  const cleaned = clean(schema, 0) as JsonSchema | undefined;
  if (cleaned?.type !== "object") throw new Error("its input schema is not that of an object");
  compileSchema(cleaned);
  return cleaned;
}

const MAX_CHARS = 65_536;
const MAX_DEPTH = 24;
const MAX_WORDS_CHARS = 500;
const LEFT_OUT = new Set(["pattern", "patternProperties", "format", "$schema", "$id", "__proto__"]);

function clean(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Error("its input schema is too deep");
  if (typeof value === "string") return renderForHuman(value, { maxChars: MAX_WORDS_CHARS });
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, below]) => !isLeftOut(key, below));
  return Object.fromEntries(kept.map(([key, below]) => [key, clean(below, depth + 1)]));
}

/** A property may be called "pattern"; it is a keyword only where its value is what the keyword takes. */
function isLeftOut(key: string, value: unknown): boolean {
  if (!LEFT_OUT.has(key)) return false;
  if (key === "patternProperties" || key === "__proto__") return true;
  return typeof value === "string";
}
