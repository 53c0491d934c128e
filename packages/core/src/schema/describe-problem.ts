import { nearestNames } from "@haft/text";
import type { SchemaProblem } from "./compile-schema.js";
import type { JsonSchema } from "./schema.js";

/** A validation error as one sentence a model can act on. */
export function describeProblem(problem: SchemaProblem, value: unknown, schema: JsonSchema): string {
  const place = problem.pointer === "" ? "" : `${problem.pointer.slice(1).replaceAll("/", ".")} `;
  switch (problem.keyword) {
    case "required":
      return `"${place.trim() === "" ? "" : `${place.trim()}.`}${String(problem.params.missingProperty)}" is required${expectation(problem, schema)}`;
    case "additionalProperties":
      return unknownKey(String(problem.params.additionalProperty), schema);
    case "enum":
      return `${place}must be one of ${(problem.params.allowedValues as unknown[]).map((allowed) => JSON.stringify(allowed)).join(", ")}; got ${quote(at(value, problem.pointer))}`;
    default:
      return `${place}${problem.message}; got ${quote(at(value, problem.pointer))}`;
  }
}

function unknownKey(key: string, schema: JsonSchema): string {
  const known = Object.keys((schema.properties ?? {}) as object);
  const [nearest] = nearestNames(key, known, 1);
  const advice =
    nearest === undefined ? `The parameters are ${known.join(", ")}` : `Did you mean "${nearest}"?`;
  return `"${quote(key).slice(1, -1)}" is not a parameter of this tool. ${advice}`;
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
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
