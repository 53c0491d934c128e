import { nearestNames, truncateLine } from "@haft/text";
import type { JsonSchema } from "./schema.js";
import { namedProperties } from "./standard-schema.js";
import type { SchemaProblem } from "./validator.js";

/** Describes a validation error in one sentence that a model can act on. */
export function describeProblem(problem: SchemaProblem, value: unknown, schema: JsonSchema): string {
  const place = problem.pointer === "" ? "" : `${shorten(problem.pointer.slice(1).replaceAll("/", "."))} `;
  switch (problem.keyword) {
    case "required":
      return `"${place.trim() === "" ? "" : `${place.trim()}.`}${String(problem.params.missingProperty)}" is required${expectation(problem, schema)}`;
    case "additionalProperties":
      return unknownKey(String(problem.params.additionalProperty), problem.pointer, schema);
    case "enum":
      return `${place}must be one of ${(problem.params.allowedValues as unknown[]).map((allowed) => JSON.stringify(allowed)).join(", ")}; got ${quote(at(value, problem.pointer))}`;
    case "const":
      return `${place}must be ${JSON.stringify(problem.params.allowedValue)}; got ${quote(at(value, problem.pointer))}`;
    case "standard":
      return libraryProblem(place.trim(), problem.message, quote(at(value, problem.pointer)));
    default:
      return `${place}${problem.message}; got ${quote(at(value, problem.pointer))}`;
  }
}

/** Names the place once: ArkType's messages start with it, zod's and valibot's are sentences of their own. */
function libraryProblem(place: string, message: string, given: string): string {
  if (place === "") return message;
  const isNamed = message.startsWith(`${place} `);
  const first = message.charAt(0);
  const separator = first === first.toLowerCase() ? " " : ": ";
  return `${isNamed ? message : `${place}${separator}${message}`}; got ${given}`;
}

function unknownKey(key: string, pointer: string, schema: JsonSchema): string {
  const object = schemaAt(schema, pointer);
  const known = namedProperties(object) ?? Object.keys((object.properties ?? {}) as object);
  const [nearest] = nearestNames(key, known, 1);
  const advice =
    nearest === undefined ? `The parameters are ${known.join(", ") || "none"}` : `Did you mean "${nearest}"?`;
  const place = pointer === "" ? "this tool" : shorten(pointer.slice(1).replaceAll("/", "."));
  return `${quote(key)} is not a parameter of ${place}. ${advice}`;
}

function schemaAt(schema: JsonSchema, pointer: string): JsonSchema {
  let current = schema;
  for (const key of pointer.split("/").slice(1)) {
    const { properties, items } = current as { properties?: Record<string, JsonSchema>; items?: JsonSchema };
    current = (properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : items) ?? {};
  }
  return current;
}

function expectation(problem: SchemaProblem, schema: JsonSchema): string {
  if (problem.pointer !== "") return "";
  const property = ((schema.properties ?? {}) as Record<string, JsonSchema>)[
    String(problem.params.missingProperty)
  ];
  return property?.description === undefined ? "" : `: ${String(property.description)}`;
}

function at(value: unknown, pointer: string): unknown {
  let current = value;
  for (const key of pointer.split("/").slice(1)) {
    current = (current as Record<string, unknown> | undefined)?.[
      key.replaceAll("~1", "/").replaceAll("~0", "~")
    ];
  }
  return current;
}

function quote(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "nothing");
}

/** Truncates quoted input: an error never repeats a long value to the model. */
function shorten(text: string): string {
  return truncateLine(text, 80);
}
