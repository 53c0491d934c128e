import type { JsonSchema } from "@haft/core";
import { renderForHuman } from "@haft/text";
import { foreignValue, KEYWORDS } from "./schema-keywords.js";
import { isRecord } from "./wire-shapes.js";

/**
 * Another server's input schema, fit to be shown and to check arguments with. Throws with a clause where there is
 * nothing to be made of it.
 *
 * SECURITY: checking a value must cost no more than the schema's size times the value's. So what is kept is a tree of
 * few nodes: references are replaced by what they mean, and keywords not known here (patterns among them) are left
 * out. Leaving out must never refuse what the server would take: it checks its arguments itself.
 */
export function foreignSchema(schema: unknown): JsonSchema {
  if (JSON.stringify(schema)?.length > MAX_CHARS) throw new Error("its input schema is too large");
  const [kept] = new Unfolding(schema).unfold(schema);
  if (kept?.type !== "object") throw new Error("its input schema is not that of an object");
  return kept;
}

const MAX_CHARS = 65_536;
const MAX_DEPTH = 24;
const MAX_NODES = 1_000;
/** Of what is checked anew for each item of a list: nodes, and names that each must have. */
const MAX_REPEATED = 300;
const MAX_NAME_CHARS = 200;

/** One schema and all schemas below it, each reference in the place of what it means. */
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

  /** Of each schema what is kept of it; of true, false and nothing at all what comes nearest. */
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
    if (!isRecord(schema)) throw new Error("its input schema has a part that is no schema");
    const kept: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      const read = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword]?.(value) : undefined;
      if (read !== undefined) kept[keyword] = read;
    }
    // What many refer to is there as many times.
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
    // As a list it is the older spelling of prefixItems.
    const isTuple = Array.isArray(items) || schema.prefixItems !== undefined;
    if (items !== undefined && !isTuple) kept.items = this.#each(items);
    // Names that only a pattern allows are not known here to be allowed.
    if (additionalProperties !== undefined && patternProperties === undefined) {
      kept.additionalProperties =
        typeof additionalProperties === "boolean" ? additionalProperties : this.#each(additionalProperties);
    }
    if (allOf !== undefined) kept.allOf = this.#several(allOf);
    // With something left out, more than one may fit where exactly one did.
    const alternatives = anyOf ?? oneOf;
    if (alternatives !== undefined) kept.anyOf = this.#several(alternatives);
    return kept;
  }

  /** A schema that every one of any number of values is checked with. */
  #each(schema: unknown): JsonSchema | undefined {
    const wasRepeating = this.#isRepeating;
    this.#isRepeating = true;
    const [kept] = this.unfold(schema);
    this.#isRepeating = wasRepeating;
    return kept;
  }

  #properties(properties: unknown): Record<string, unknown> {
    if (!isRecord(properties)) throw new Error("its input schema has properties that are none");
    const entries = Object.entries(properties).map(([name, below]) => {
      if (name === "__proto__" || renderForHuman(name, { maxChars: MAX_NAME_CHARS }) !== name) {
        throw new Error("its input schema has a property with a name that cannot be shown");
      }
      return [name, this.unfold(below)[0]] as const;
    });
    return Object.fromEntries(entries);
  }

  #several(schemas: unknown): JsonSchema[] {
    if (Array.isArray(schemas) && schemas.length > 0) return this.unfold(...schemas);
    throw new Error("its input schema has alternatives that are none");
  }

  /** Of a schema that goes on inside itself the first round is kept. */
  #withReferred(kept: JsonSchema, reference: unknown): JsonSchema {
    if (reference === undefined) return kept;
    const target = resolve(this.#root, reference);
    if (this.#entered.includes(reference as string)) return kept;
    this.#entered.push(reference as string);
    const [referred] = this.unfold(target);
    this.#entered.pop();
    const isOnlyDescribed = Object.keys(kept).every((keyword) => ANNOTATIONS.has(keyword));
    return isOnlyDescribed ? { ...referred, ...kept } : { ...kept, allOf: [...allOf(kept), referred] };
  }
}

const ANNOTATIONS: ReadonlySet<string> = new Set(["title", "description", "default"]);

function allOf(schema: JsonSchema): readonly unknown[] {
  return (schema.allOf ?? []) as readonly unknown[];
}

/** Nothing is fetched: a reference leads to another place in the same schema or nowhere. */
function resolve(root: unknown, reference: unknown): unknown {
  let current = root;
  const isOwn = typeof reference === "string" && /^#(?:\/|$)/.test(reference);
  for (const step of isOwn ? reference.split("/").slice(1) : []) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    const isThere = typeof current === "object" && current !== null && Object.hasOwn(current, key);
    current = isThere ? (current as Record<string, unknown>)[key] : undefined;
  }
  if (isOwn && current !== undefined) return current;
  throw new Error(`its input schema refers to what is not there: ${String(foreignValue(reference))}`);
}
