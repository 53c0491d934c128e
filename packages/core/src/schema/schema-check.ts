import { acceptPlainly } from "./accept-plainly.js";
import type { JsonSchema } from "./schema.js";
import type { SchemaProblem, Validator } from "./validator.js";

/** As a Validator does; a promise while what compiles schemas has to be loaded. */
export type SchemaCheck = (value: unknown) => readonly SchemaProblem[] | Promise<readonly SchemaProblem[]>;

/**
 * Checks values against one schema. Loading the compiler takes longer than most first calls, so it waits until it is
 * worth it, or something is not plainly right.
 */
export function schemaCheck(schema: JsonSchema): SchemaCheck {
  let uses = 0;
  let compiled: Validator | undefined;
  return (value) => {
    if (compiled !== undefined) return compiled(value);
    // Nobody overtakes a call that waits: calls go on in the order in which they were made.
    if (compiler.loading === undefined && uses++ < PLAIN_USES && acceptPlainly(schema, value)) return [];
    return loadCompiler().then((compileSchema) => {
      compiled ??= compileSchema(schema);
      return compiled(value);
    });
  };
}

const PLAIN_USES = 20;

type CompileSchema = (schema: JsonSchema) => Validator;

const compiler: { loading?: Promise<CompileSchema> | undefined } = {};

function loadCompiler(): Promise<CompileSchema> {
  compiler.loading ??= import("./compile-schema.js")
    .then(({ compileSchema }) => compileSchema)
    .finally(() => {
      compiler.loading = undefined;
    });
  return compiler.loading;
}
