import { acceptPlainly } from "./accept-plainly.js";
import type { JsonSchema } from "./schema.js";
import { type StandardCheck, standardValidator } from "./standard-schema.js";
import type { Validator } from "./validator.js";

/** Validates one value. Returns a promise while the schema compiler loads or a library validates asynchronously. */
export type SchemaCheck = (value: unknown) => StandardCheck | Promise<StandardCheck>;

/**
 * Returns the check for one schema. A validation library validates its own schemas, and the value it returns replaces
 * the given one. Any other schema is checked in place. Its compiler takes longer to load than most first calls take, so
 * it loads only once that pays off or a value is not plainly valid.
 */
export function schemaCheck(schema: JsonSchema): SchemaCheck {
  const byLibrary = standardValidator(schema);
  if (byLibrary !== undefined) return byLibrary;
  let uses = 0;
  let compiled: Validator | undefined;
  return (value) => {
    if (compiled !== undefined) return { value, problems: compiled(value) };
    // While a call waits for the compiler, later calls wait too: calls proceed in the order they were made.
    if (compiler.loading === undefined && uses++ < PLAIN_USES && acceptPlainly(schema, value))
      return { value, problems: NO_PROBLEMS };
    return loadCompiler().then((compileSchema) => {
      compiled ??= compileSchema(schema);
      return { value, problems: compiled(value) };
    });
  };
}

const PLAIN_USES = 20;
const NO_PROBLEMS = [] as const;

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
