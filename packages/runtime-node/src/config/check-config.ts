import { type JsonSchema, TOOL_PERMISSIONS } from "@haft/core";
import type { SchemaProblem } from "@haft/core/compile-schema";
import { nearestNames } from "@haft/text";
import { ConfigError } from "./config-error.js";

/** Rejects with CONFIG_INVALID, one line per problem. For an unknown key it suggests the nearest one. */
export async function checkConfig(value: unknown, schema: JsonSchema, where: string): Promise<void> {
  const { compileSchema } = await import("@haft/core/compile-schema");
  const found = compileSchema(schema)(value).filter(({ keyword }) => !SUMMARIES.has(keyword));
  const problems = found.filter((problem) => !isOtherForm(problem, found));
  if (problems.length === 0) return;
  const lines = [...new Set(problems.map((problem) => describe(problem, value, schema)))];
  const more = lines.length > MAX_LINES ? [`and ${lines.length - MAX_LINES} more`] : [];
  throw new ConfigError("CONFIG_INVALID", `${where}: ${[...lines.slice(0, MAX_LINES), ...more].join("\n")}`, {
    details: { problems: problems.slice(0, MAX_LINES).map(({ pointer, keyword }) => ({ pointer, keyword })) },
  });
}

const MAX_LINES = 8;

// These only repeat that a branch failed; the branch reports its own problem.
const SUMMARIES = new Set(["anyOf", "if"]);

/**
 * Returns whether a problem only says that a value does not have an alternative form. The problem within the form
 * that it does have is reported separately.
 */
function isOtherForm({ pointer, keyword }: SchemaProblem, found: readonly SchemaProblem[]): boolean {
  if (keyword !== "type") return false;
  return found.some(
    (other) =>
      other.pointer.startsWith(`${pointer}/`) || (other.pointer === pointer && other.keyword !== "type"),
  );
}

function describe(problem: SchemaProblem, value: unknown, schema: JsonSchema): string {
  const place = problem.pointer === "" ? "" : `${problem.pointer.slice(1).replaceAll("/", ".")}: `;
  if (problem.keyword === "additionalProperties")
    return place + unknownKey(String(problem.params.additionalProperty), knownKeys(schema, problem.pointer));
  if (problem.keyword === "required") return `${place}"${String(problem.params.missingProperty)}" is missing`;
  if (problem.keyword === "enum") {
    const allowed = problem.params.allowedValues as readonly unknown[];
    return `${place}must be one of ${allowed.map((one) => JSON.stringify(one)).join(", ")}${given(value, problem)}`;
  }
  if (/(^|\/)permissions\/\d+$/.test(problem.pointer) && problem.keyword === "pattern")
    return `${place}${unknownPermission(String(at(value, problem.pointer)))}`;
  return `${place}${problem.message}${given(value, problem)}`;
}

function unknownPermission(name: string): string {
  const [nearest] = nearestNames(name, TOOL_PERMISSIONS, 1);
  const advice =
    nearest === undefined
      ? `the permissions are ${TOOL_PERMISSIONS.join(", ")}`
      : `did you mean "${nearest}"?`;
  return `${quote(name)} is not a permission; ${advice}`;
}

/** Describes the actual value without revealing a possible secret. */
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

/** Returns the properties that the schema knows at a place. With alternatives, those of all of them. */
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
