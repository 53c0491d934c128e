import { nearestNames } from "@haft/text";
import { ToolError } from "../error/tool-error.js";
import { authoredJsonSchema } from "../schema/authored-json-schema.js";
import type { AuthoredSchema, SchemaOf } from "../schema/authored-schema.js";
import { describeProblem } from "../schema/describe-problem.js";
import type { JsonSchema, Parsed } from "../schema/schema.js";
import { schemaCheck } from "../schema/schema-check.js";
import type { PlainTool } from "../tool/plain-tool.js";
import { type AnyToolClass, definitionOf } from "../tool/tool.js";
import type { ProvidedService } from "./service-container.js";
import { type Token, token } from "./token.js";

/** A section of the configuration that a pack declares. Tools inject it like a service. */
export interface ConfigSection<T> extends Token<T> {
  readonly section: string;
  readonly schema: JsonSchema;
}

/**
 * Declares the section `packConfig.NAME` of the configuration, with its schema. The runtime checks it when it starts
 * and gives tools that inject it the parsed value. A section that is left out counts as `{}`.
 */
export function configSection<const S extends AuthoredSchema>(
  name: string,
  schema: S,
): ConfigSection<Parsed<SchemaOf<S>>> {
  return {
    ...token(`packConfig.${name}`),
    section: name,
    schema: authoredJsonSchema(`the section ${name}`, schema),
  };
}

/** Checks the sections that tools declare. Rejects with CONFIG_INVALID, which names the nearest key. */
export async function packConfigServices(
  tools: readonly (AnyToolClass | PlainTool)[],
  config: Readonly<Record<string, unknown>> = {},
): Promise<readonly ProvidedService[]> {
  const sections = new Map(tools.flatMap(sectionsOf).map((section) => [section.section, section]));
  assertKnown(config, [...sections.keys()], "packConfig");
  return Promise.all(
    [...sections.values()].map(async (section): Promise<ProvidedService> => {
      const given = Object.hasOwn(config, section.section) ? config[section.section] : undefined;
      return [section, await parsed(section, given === undefined ? {} : structuredClone(given))];
    }),
  );
}

/** Returns the names of the sections that tools declare. */
export function declaredSections(tools: readonly (AnyToolClass | PlainTool)[]): readonly string[] {
  return tools.flatMap(sectionsOf).map(({ section }) => section);
}

function sectionsOf(tool: AnyToolClass | PlainTool): readonly ConfigSection<unknown>[] {
  const tokens: readonly Token<unknown>[] =
    typeof tool === "function" ? (definitionOf(tool).inject ?? []) : [];
  return tokens.filter((each): each is ConfigSection<unknown> => "section" in each);
}

async function parsed({ section, schema }: ConfigSection<unknown>, given: unknown): Promise<unknown> {
  const { properties, additionalProperties = false } = schema;
  // Schema libraries drop unknown keys silently; in a configuration they are typos.
  const isClosed = typeof properties === "object" && properties !== null && additionalProperties === false;
  if (isClosed && typeof given === "object" && given !== null)
    assertKnown(given, Object.keys(properties), `packConfig.${section}`);
  const { value, problems } = await schemaCheck(schema)(given);
  const [first] = problems;
  if (first === undefined) return value;
  throw invalid(`packConfig.${section}: ${describeProblem(first, given, schema)}`);
}

function assertKnown(given: object, known: readonly string[], place: string): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const [nearest] = nearestNames(unknown, known, 1);
  const keys = known.length === 0 ? "There are no keys here" : `The keys are ${known.join(", ")}`;
  const advice = nearest === undefined ? `${keys}.` : `Did you mean "${nearest}"?`;
  throw invalid(`${place}: ${JSON.stringify(unknown.slice(0, 80))} is not a known key. ${advice}`);
}

function invalid(message: string): ToolError {
  return new ToolError("CONFIG_INVALID", message, { hint: "Correct it in haft.config, or in the options." });
}
