// The entry "@haft/core/compile-schema": apart from the rest, so that a process that only makes calls which are plainly
// right never loads the compiler. Any export added here becomes public API.
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { acceptPlainly } from "./accept-plainly.js";
import type { JsonSchema } from "./schema.js";
import type { SchemaProblem, Validator } from "./validator.js";

/**
 * One validator per schema object. Compiling one takes longer than most first calls, and most tools of a process are
 * called a few times or never: until it is worth it, or something is not plainly right, nothing is compiled.
 */
export function compileSchema(schema: JsonSchema): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = compiledWhenWorthIt(schema);
    validators.set(schema, validator);
  }
  return validator;
}

const validators = new WeakMap<JsonSchema, Validator>();

const PLAIN_USES = 3;

function compiledWhenWorthIt(schema: JsonSchema): Validator {
  let uses = 0;
  let compiled: Validator | undefined;
  return (value) => {
    if (uses++ < PLAIN_USES && acceptPlainly(schema, value)) return [];
    compiled ??= compile(schema);
    return compiled(value);
  };
}

// Foreign schemas carry keywords and formats ajv does not know; they must not stop a tool from loading. Checking them
// against the meta-schema would cost every process more than all of its own schemas together.
const AJV_OPTIONS = {
  strict: false,
  meta: false,
  validateSchema: false,
  // Polishing the generated code takes longer than a process spends running it.
  code: { optimize: false },
  allErrors: true,
  useDefaults: true,
  validateFormats: false,
  logger: false,
} as const;

const shared: { ajv?: Ajv2020 } = {};

function compile(schema: JsonSchema): Validator {
  const { $schema: _dialect, $id: _id, ...plain } = schema;
  shared.ajv ??= new Ajv2020(AJV_OPTIONS);
  const { ajv } = shared;
  const check = ajv.compile(plain);
  // ajv would keep every schema for good; the WeakMap above is the only owner.
  ajv.removeSchema(plain);
  return (value) => (check(value) ? [] : (check.errors ?? []).map(toProblem));
}

function toProblem(error: ErrorObject): SchemaProblem {
  return {
    pointer: error.instancePath,
    keyword: error.keyword,
    message: error.message ?? "is not valid",
    params: error.params as Record<string, unknown>,
  };
}
