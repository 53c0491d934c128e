import type { JsonSchema, SchemaProblem } from "@haft/core";
import { nearestNames } from "@haft/text";
import { ConfigError } from "./config-error.js";

/** Rejects with CONFIG_INVALID with one line per problem; a key that is not known names the nearest one. */
export async function checkConfig(value: unknown, schema: JsonSchema, where: string): Promise<void> {
  const { compileSchema } = await import("@haft/core/compile-schema");
  const problems = compileSchema(schema)(value).filter(({ keyword }) => !SUMMARIES.has(keyword));
  if (problems.length === 0) return;
  const lines = [...new Set(problems.map((problem) => describe(problem, value, schema)))];
  const more = lines.length > MAX_LINES ? [`and ${lines.length - MAX_LINES} more`] : [];
  throw new ConfigError("CONFIG_INVALID", `${where}: ${[...lines.slice(0, MAX_LINES), ...more].join("\n")}`, {
    details: { problems: problems.slice(0, MAX_LINES).map(({ pointer, keyword }) => ({ pointer, keyword })) },
  });
}

const MAX_LINES = 8;

// They only repeat that one of their branches failed, which is told by itself.
const SUMMARIES = new Set(["anyOf", "if"]);

function describe(problem: SchemaProblem, value: unknown, schema: JsonSchema): string {
  const place = problem.pointer === "" ? "" : `${problem.pointer.slice(1).replaceAll("/", ".")}: `;
  if (problem.keyword === "additionalProperties")
    return place + unknownKey(String(problem.params.additionalProperty), knownKeys(schema, problem.pointer));
  if (problem.keyword === "required") return `${place}"${String(problem.params.missingProperty)}" is missing`;
  if (problem.keyword === "enum") {
    const allowed = problem.params.allowedValues as readonly unknown[];
    return `${place}must be one of ${allowed.map((one) => JSON.stringify(one)).join(", ")}${given(value, problem)}`;
  }
  return `${place}${problem.message}${given(value, problem)}`;
}

/** What stands there instead; never what might be a secret. */
function given(value: unknown, { pointer }: SchemaProblem): string {
  return MAY_BE_SECRET.test(pointer) ? "" : `, not ${quote(at(value, pointer))}`;
}

const MAY_BE_SECRET = /^\/(knownSecrets|mcpServers\/[^/]*\/(env|headers|url|args))(\/|$)/;

function unknownKey(key: string, known: readonly string[]): string {
  const [nearest] = nearestNames(key, known, 1);
  const advice =
    nearest === undefined ? `the keys here are ${known.join(", ")}` : `did you mean "${nearest}"?`;
  return `${quote(key)} is not a known key; ${advice}`;
}

/** The properties the schema knows at a place; where it offers alternatives, those of any of them. */
function knownKeys(schema: JsonSchema, pointer: string): readonly string[] {
  let current: readonly JsonSchema[] = [schema];
  for (const key of pointer.split("/").slice(1)) current = current.flatMap((one) => below(one, key));
  return [...new Set(current.flatMap(alternatives).flatMap((one) => Object.keys(propertiesOf(one))))];
}

function below(schema: JsonSchema, key: string): readonly JsonSchema[] {
  return alternatives(schema).flatMap((one) => {
    const properties = propertiesOf(one);
    if (Object.hasOwn(properties, key)) return [properties[key] as JsonSchema];
    const others = one.items ?? one.additionalProperties;
    return typeof others === "object" ? [others as JsonSchema] : [];
  });
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  return [schema, ...((schema.anyOf ?? []) as readonly JsonSchema[])];
}

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  return (schema.properties ?? {}) as Record<string, JsonSchema>;
}

function at(value: unknown, pointer: string): unknown {
  let current = value;
  for (const key of pointer.split("/").slice(1)) current = (current as Record<string, unknown>)[key];
  return current;
}

function quote(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
