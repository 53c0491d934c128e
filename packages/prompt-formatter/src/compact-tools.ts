import type { JsonSchema, ToolDescription } from "@haft/core";

/**
 * Returns the tools for a model with native tool calling: one paragraph each, the everyday parameters, and no keywords
 * that only validation needs. Calls with other parameters are still accepted.
 */
export function compactTools(tools: readonly ToolDescription[]): readonly ToolDescription[] {
  return tools.map(compactTool);
}

function compactTool(tool: ToolDescription): ToolDescription {
  const { guidance: _, termination: _termination, examples: _examples, brief, ...rest } = tool;
  return {
    ...rest,
    summary: brief?.description ?? tool.summary,
    termination: TERMINATE,
    examples: [],
    input: compactInput(tool.input, brief?.parameters),
  };
}

const TERMINATE = "Stop after this call";

function compactInput(input: JsonSchema, shown: Readonly<Record<string, string>> | undefined): JsonSchema {
  const properties = (input.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const names =
    shown === undefined
      ? Object.keys(properties)
      : Object.keys(shown).filter((name) => Object.hasOwn(properties, name));
  const entries = names.map((name) => {
    const property = compactProperty(properties[name] ?? {});
    return [name, shown === undefined ? property : described(property, shown[name])] as const;
  });
  const required = ((input.required ?? []) as readonly string[]).filter((name) => names.includes(name));
  return {
    type: "object",
    properties: Object.fromEntries(entries),
    ...(required.length > 0 && { required }),
  };
}

function described({ description: _, ...property }: JsonSchema, description = ""): JsonSchema {
  return description === "" ? property : { ...property, description };
}

/** Drops keywords that only validation needs. Shows the first, simplest of several forms; the others are accepted. */
function compactProperty(given: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = given;
  const schema = { ...(anyOf as readonly JsonSchema[] | undefined)?.[0], ...rest };
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      if (VALIDATION_ONLY.has(keyword)) return [];
      return [[keyword, keyword === "items" ? compactItems(value as JsonSchema) : value]];
    }),
  );
}

/** A list's description covers its items. */
function compactItems(items: JsonSchema): JsonSchema {
  if (items.type === "object") return compactInput(items, undefined);
  const { description: _, ...item } = compactProperty(items);
  return item;
}

const VALIDATION_ONLY: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "default",
  "format",
  "pattern",
  "uniqueItems",
]);
