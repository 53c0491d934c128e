import { nearestNames } from "@haft/text";
import { messageOf } from "../error/tool-error.js";
import type { JsonSchema } from "./schema.js";
import { type StandardSchema, toJsonSchema } from "./standard-schema.js";

/** Converts the schema of a tool or of a section. Throws a TypeError with the remedy if it would not run as written. */
export function authoredJsonSchema(owner: string, authored: unknown, side: "input" | "output" = "input") {
  const problem = authoredProblem(authored);
  if (problem !== undefined) throw new TypeError(`${owner} is wrong: ${problem}`);
  try {
    return toJsonSchema(authored as JsonSchema, side);
  } catch (cause) {
    throw new TypeError(`${owner} has no JSON Schema: ${messageOf(cause)}`, { cause });
  }
}

/** TypeScript rules most of these out; JavaScript has no types. */
function authoredProblem(schema: unknown): string | undefined {
  if (schema === undefined)
    return "it is missing. For a tool without parameters, pass s.object({}) or z.object({}).";
  if (isStandard(schema)) return standardProblem(schema["~standard"]);
  if (!isObject(schema) || Array.isArray(schema))
    return "it must be a schema: an object of s, zod, valibot, ArkType or TypeBox, or plain JSON Schema.";
  const member = Object.entries(schema).find(([, value]) => isStandard(value))?.[0];
  if (member !== undefined)
    return `its member "${member}" is a schema, but it is not one itself. Wrap it: z.object({ ${member}: … }).`;
  return jsonProblem(schema, "");
}

function standardProblem({ validate, vendor, jsonSchema }: StandardSchema["~standard"]): string | undefined {
  if (jsonSchema === undefined || typeof validate === "function") return undefined;
  return `this ${vendor} schema describes itself and cannot validate. Pass one that implements Standard Schema as well.`;
}

/**
 * Finds parts of a literal schema that JSON Schema cannot check. Runs for every tool at the start, so it must be fast.
 */
function jsonProblem(schema: object, place: string): string | undefined {
  const where = place === "" ? "it" : `"${place}"`;
  if ("~codec" in schema)
    return `${where} has a codec of TypeBox, which would not be run. Convert the value in run, or use zod.`;
  const type = unknownType((schema as { type?: unknown }).type);
  if (type !== undefined) return `${where} has the type "${type}", which JSON does not have${meant(type)}`;
  for (const [keyword, member] of Object.entries(schema)) {
    if (!isObject(member) || DATA.has(keyword)) continue;
    const problem = keyword === "properties" ? parameterProblem(member, place) : jsonProblem(member, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function parameterProblem(properties: object, place: string): string | undefined {
  for (const [name, schema] of Object.entries(properties)) {
    const problem = isObject(schema) ? jsonProblem(schema, name || place) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A type that is a schema belongs to a parameter called "type". */
function unknownType(type: unknown): string | undefined {
  if (typeof type === "string") return JSON_TYPES.includes(type) ? undefined : type;
  if (!Array.isArray(type)) return undefined;
  return type.find((each) => typeof each === "string" && !JSON_TYPES.includes(each));
}

/** Keywords whose values are data and not schemas. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "required"]);

const JSON_TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];

function meant(type: string): string {
  const [nearest] = nearestNames(type, JSON_TYPES, 1);
  return nearest === undefined ? "." : `. Did you mean "${nearest}"?`;
}

function isStandard(value: unknown): value is StandardSchema {
  return (typeof value === "object" || typeof value === "function") && value !== null && "~standard" in value;
}
