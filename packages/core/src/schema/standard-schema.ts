import type { JsonSchema } from "./schema.js";
import type { SchemaProblem } from "./validator.js";

/**
 * A schema from a validation library that implements Standard Schema (zod 4, ArkType) and, for a tool's input, Standard
 * JSON Schema as well (valibot through `@valibot/to-json-schema`).
 */
export interface StandardSchema<Given = unknown, Parsed = Given> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    readonly types?: { readonly input: Given; readonly output: Parsed } | undefined;
    readonly jsonSchema?: {
      readonly input: JsonSchemaMaker;
      readonly output: JsonSchemaMaker;
    };
  };
}

type JsonSchemaMaker = (options: {
  readonly target: "draft-2020-12";
  readonly libraryOptions?: Record<string, unknown>;
}) => Record<string, unknown>;

type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Returns the JSON Schema of an authored schema. A Standard Schema stays attached to it and validates the values. */
export function toJsonSchema(
  schema: JsonSchema | StandardSchema,
  side: "input" | "output" = "input",
): JsonSchema {
  const standard = (schema as Partial<StandardSchema>)["~standard"];
  if (standard === undefined) return schema as JsonSchema;
  const json = side === "input" ? inputJson(standard, schema) : outputJson(standard);
  return Object.defineProperty(json, STANDARD, { value: standard });
}

/** The outcome of validating a value with its own library. */
export interface StandardCheck {
  readonly value: unknown;
  readonly problems: readonly SchemaProblem[];
}

/** Returns the validator that `toJsonSchema` attached, if the schema came from a validation library. */
export function standardValidator(
  schema: JsonSchema,
): ((value: unknown) => StandardCheck | Promise<StandardCheck>) | undefined {
  const standard = (schema as { [STANDARD]?: Standard })[STANDARD];
  if (standard === undefined) return undefined;
  const names = namedProperties(schema);
  return (value) => {
    const additionalProperty = unknownKey(names, value);
    if (additionalProperty !== undefined) return { value, problems: [unknownKeyProblem(additionalProperty)] };
    const result = standard.validate(value);
    return result instanceof Promise
      ? result.then((settled) => toCheck(settled, value))
      : toCheck(result, value);
  };
}

type Standard = StandardSchema["~standard"];

// Shared by all copies of this package.
const STANDARD: unique symbol = Symbol.for("haft.standard-schema.v1") as never;

function inputJson(standard: Standard, schema: object): Record<string, unknown> {
  if (standard.jsonSchema === undefined) {
    throw new TypeError(
      `this ${standard.vendor} schema offers no JSON Schema. ${remedy(standard.vendor, schema)}`,
    );
  }
  return closed(standard.jsonSchema.input({ target: "draft-2020-12", libraryOptions: LENIENT }));
}

/** Libraries drop unknown keys silently; sent by a model they are misspelled parameters. */
function closed(schema: Record<string, unknown>): Record<string, unknown> {
  const isClosed =
    "properties" in schema && !OPENING_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword));
  return isClosed ? { ...schema, additionalProperties: false } : { ...schema };
}

const OPENING_KEYWORDS = [
  "additionalProperties",
  "patternProperties",
  "unevaluatedProperties",
  "allOf",
  "anyOf",
  "oneOf",
  "$ref",
];

function unknownKeyProblem(additionalProperty: string): SchemaProblem {
  const message = "must not have additional properties";
  return { pointer: "", keyword: "additionalProperties", message, params: { additionalProperty } };
}

function unknownKey(names: readonly string[] | undefined, value: unknown): string | undefined {
  if (names === undefined || typeof value !== "object" || value === null) return undefined;
  return Object.keys(value).find((key) => !names.includes(key));
}

/** Returns the names that an object schema or any of its alternatives lists; undefined if one of them is open. */
export function namedProperties(schema: JsonSchema): readonly string[] | undefined {
  const { properties, patternProperties, additionalProperties = false, $ref } = schema;
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (list ?? []) as JsonSchema[]);
  if (properties === undefined && parts.length === 0 && schema.additionalProperties === undefined)
    return undefined;
  if (additionalProperties !== false || patternProperties !== undefined || $ref !== undefined)
    return undefined;
  const names = [Object.keys(properties ?? {}), ...parts.map(namedProperties)];
  return names.includes(undefined) ? undefined : [...new Set((names as string[][]).flat())];
}

/**
 * Leaves out what JSON Schema cannot express (valibot's `check` and `trim`, zod's `coerce.date`) instead of rejecting
 * the schema. The library still validates it.
 */
const LENIENT = { errorMode: "ignore", unrepresentable: "any" };

/** A transformed value often has no JSON Schema; the library still validates it. */
function outputJson(standard: Standard): Record<string, unknown> {
  try {
    return { ...standard.jsonSchema?.output({ target: "draft-2020-12" }) };
  } catch {
    return {};
  }
}

function remedy(vendor: string, schema: object): string {
  if (vendor === "valibot")
    return "Install @valibot/to-json-schema and pass toStandardJsonSchema(schema) instead of the schema.";
  if (vendor === "zod" && isFromMini(schema))
    return 'zod/mini leaves it out: pass its toJSONSchema(schema, { io: "input" }), or use zod.';
  if (vendor === "zod") return "Install zod 4.2 or newer.";
  return `Install a version of ${vendor} that implements Standard JSON Schema, or pass plain JSON Schema.`;
}

/** Whether its zod is new enough, so that only the small variant can be the reason. */
function isFromMini(schema: object): boolean {
  const { major = 0, minor = 0 } =
    (schema as { _zod?: { version?: { major?: number; minor?: number } } })._zod?.version ?? {};
  return major > 4 || (major === 4 && minor >= 2);
}

function toCheck(result: StandardResult, given: unknown): StandardCheck {
  return result.issues === undefined
    ? { value: result.value, problems: [] }
    : { value: given, problems: result.issues.map(toProblem) };
}

function toProblem({ message, path = [] }: StandardIssue): SchemaProblem {
  // Not `map`: a list of a class of its own, as ArkType's paths are, makes another of that class.
  const keys = Array.from(path, (part) => (typeof part === "object" ? part.key : part));
  const pointer = keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return { pointer, keyword: "standard", message, params: {} };
}
