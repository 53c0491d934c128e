// The entry point "@haft/core/compile-schema", kept separate so that a process whose calls are all plainly valid never
// loads the compiler. Any export added here becomes public API.
import type { ErrorObject } from "ajv";
import { fillDefaults } from "./accept-plainly.js";
import type { JsonSchema } from "./schema.js";
import { compileWithAjv } from "./schema-compiler.js";
import type { SchemaProblem, Validator } from "./validator.js";

export type { SchemaProblem, Validator };

/** Returns one validator per schema object. It compiles on first use; `schemaCheck` decides when that pays off. */
export function compileSchema(schema: JsonSchema): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = compiledOnUse(schema);
    validators.set(schema, validator);
  }
  return validator;
}

const validators = new WeakMap<JsonSchema, Validator>();

function compiledOnUse(schema: JsonSchema): Validator {
  let compiled: Validator | undefined;
  return (value) => {
    compiled ??= compile(schema);
    return compiled(value);
  };
}

function compile(schema: JsonSchema): Validator {
  const check = compileWithAjv(schema);
  const hasInheritedNames = namesInheritedMembers(schema);
  return (value) => {
    // ajv treats inherited members as given values, and skips their defaults.
    if (hasInheritedNames) fillDefaults(schema, value);
    return check(value) ? [] : mergeLiterals(check.errors ?? []).map(toProblem);
  };
}

/** Returns whether any property is called `constructor`, `toString` or the like. */
function namesInheritedMembers(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return Object.entries(schema).some(
    ([name, member]) => name in Object.prototype || namesInheritedMembers(member),
  );
}

/** More are never shown, and comparing them all would take long. */
const MAX_MERGED = 100;

/** Replaces the errors of alternatives that are all literals by one that lists them, as for an enum. */
function mergeLiterals(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  if (errors.length > MAX_MERGED) return errors;
  let merged = errors;
  for (const union of errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf")) {
    const within = merged.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/`));
    const branchOf = ({ schemaPath }: ErrorObject) => schemaPath.slice(union.schemaPath.length).split("/")[1];
    const literals = within.filter(({ keyword }) => keyword === "const");
    const branches = literals.map(branchOf);
    if (literals.length === 0 || !within.every((error) => branches.includes(branchOf(error)))) continue;
    const allowedValues = literals.map(({ params }) => params.allowedValue as unknown);
    const listed = { ...union, keyword: "enum", params: { allowedValues } };
    merged = merged
      .filter((error) => !within.includes(error))
      .map((error) => (error === union ? listed : error));
  }
  return merged;
}

function toProblem(error: ErrorObject): SchemaProblem {
  return {
    pointer: error.instancePath,
    keyword: error.keyword,
    message: error.message ?? "is not valid",
    params: error.params as Record<string, unknown>,
  };
}
