import type { JsonSchema } from "@haft/core";
import { renderForHuman } from "@haft/text";
import { isRecord } from "../call/plain-call.js";
import { foreignValue, KEYWORDS } from "./schema-keywords.js";

/**
 * Converts another server's input schema into one that can be shown and used for validation. Throws if that is
 * impossible. SECURITY: validation must cost no more than the size of the schema times the size of the value. The
 * result is therefore a small tree: references are inlined, and unknown keywords (including patterns) are dropped.
 * Dropping never rejects what the server would accept, because the server validates its arguments itself.
 */
export function foreignSchema(schema: unknown): JsonSchema {
  if (JSON.stringify(schema)?.length > MAX_CHARS) throw new Error("its input schema is too large");
  const [kept] = new Unfolding(schema).unfold(schema);
  if (kept?.type !== "object") throw new Error("its input schema does not describe an object");
  return kept;
}

const MAX_CHARS = 65_536;
const MAX_DEPTH = 24;
const MAX_NODES = 1_000;
/** Limit for schemas applied to every list item: nodes plus required names. */
const MAX_REPEATED = 300;
const MAX_NAME_CHARS = 200;

/** Inlines the references of a schema and everything below it. */
class Unfolding {
  readonly #root: unknown;
  readonly #entered: string[] = [];
  #nodes = 0;
  #chars = 0;
  #repeated = 0;
  #isRepeating = false;
  #depth = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** Returns the kept part of each schema. Booleans become the nearest equivalent. */
  unfold(...schemas: readonly unknown[]): JsonSchema[] {
    if (this.#depth > MAX_DEPTH) throw new Error("its input schema is too deep");
    this.#depth += 1;
    const kept = schemas.map((schema) => this.#one(schema));
    this.#depth -= 1;
    return kept;
  }

  #one(schema: unknown): JsonSchema {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) throw new Error("its input schema is too large");
    if (typeof schema === "boolean") return schema ? {} : { not: {} };
    if (!isRecord(schema)) throw new Error("its input schema contains a value that is not a schema");
    const kept: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      const read = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword]?.(value) : undefined;
      if (read !== undefined) kept[keyword] = read;
    }
    // Inlined references count once per use.
    this.#chars += JSON.stringify(kept).length;
    if (this.#isRepeating) this.#repeated += 1 + ((kept.required ?? []) as readonly string[]).length;
    if (this.#chars > MAX_CHARS || this.#repeated > MAX_REPEATED)
      throw new Error("its input schema is too large");
    return this.#withReferred({ ...kept, ...this.#below(schema) }, schema.$ref);
  }

  #below(schema: Record<string, unknown>): JsonSchema {
    const { properties, items, additionalProperties, patternProperties, anyOf, oneOf, allOf } = schema;
    const kept: Record<string, unknown> = {};
    if (properties !== undefined) kept.properties = this.#properties(properties);
    // A list is the older spelling of prefixItems.
    const isTuple = Array.isArray(items) || schema.prefixItems !== undefined;
    if (items !== undefined && !isTuple) kept.items = this.#each(items);
    // Names allowed only by a pattern would be rejected.
    if (additionalProperties !== undefined && patternProperties === undefined) {
      kept.additionalProperties =
        typeof additionalProperties === "boolean" ? additionalProperties : this.#each(additionalProperties);
    }
    if (allOf !== undefined) kept.allOf = this.#several(allOf);
    // anyOf instead of oneOf: with dropped keywords, more than one alternative may match.
    const alternatives = anyOf ?? oneOf;
    if (alternatives !== undefined) kept.anyOf = this.#several(alternatives);
    return kept;
  }

  /** Converts a schema that applies to any number of values. */
  #each(schema: unknown): JsonSchema | undefined {
    const wasRepeating = this.#isRepeating;
    this.#isRepeating = true;
    const [kept] = this.unfold(schema);
    this.#isRepeating = wasRepeating;
    return kept;
  }

  #properties(properties: unknown): Record<string, unknown> {
    if (!isRecord(properties)) throw new Error("its input schema has properties that are not an object");
    const entries = Object.entries(properties).map(([name, below]) => {
      if (name === "__proto__" || renderForHuman(name, { maxChars: MAX_NAME_CHARS }) !== name) {
        throw new Error("its input schema has a property name that cannot be displayed");
      }
      return [name, this.unfold(below)[0]] as const;
    });
    return Object.fromEntries(entries);
  }

  #several(schemas: unknown): JsonSchema[] {
    if (Array.isArray(schemas) && schemas.length > 0) return this.unfold(...schemas);
    throw new Error("its input schema has alternatives that are not a list");
  }

  /** Inlines a recursive reference once. */
  #withReferred(kept: JsonSchema, reference: unknown): JsonSchema {
    if (reference === undefined) return kept;
    const target = resolve(this.#root, reference);
    if (this.#entered.includes(reference as string)) return kept;
    this.#entered.push(reference as string);
    const [referred] = this.unfold(target);
    this.#entered.pop();
    const hasOnlyAnnotations = Object.keys(kept).every((keyword) => ANNOTATIONS.has(keyword));
    return hasOnlyAnnotations ? { ...referred, ...kept } : { ...kept, allOf: [...allOf(kept), referred] };
  }
}

const ANNOTATIONS: ReadonlySet<string> = new Set(["title", "description", "default"]);

function allOf(schema: JsonSchema): readonly unknown[] {
  return (schema.allOf ?? []) as readonly unknown[];
}

/** Resolves references within the schema only; fetches nothing. */
function resolve(root: unknown, reference: unknown): unknown {
  let current = root;
  const isOwn = typeof reference === "string" && /^#(?:\/|$)/.test(reference);
  for (const step of isOwn ? reference.split("/").slice(1) : []) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    const isThere = typeof current === "object" && current !== null && Object.hasOwn(current, key);
    current = isThere ? (current as Record<string, unknown>)[key] : undefined;
  }
  if (isOwn && current !== undefined) return current;
  throw new Error(`its input schema has an unresolvable reference: ${String(foreignValue(reference))}`);
}
