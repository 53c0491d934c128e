import { Ajv, type AnySchemaObject, type SchemaValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isMultipleOf } from "./is-multiple-of.js";
import { REFINEMENT_KEYWORD, type Refinement, withRefinements } from "./refinements.js";
import type { JsonSchema } from "./schema.js";
import { type SchemaDialect, schemaDialect } from "./schema-dialect.js";

/** Compiles a schema in its own draft. Schemas with ids or anchors are compiled in isolation. */
export function compileWithAjv(schema: JsonSchema) {
  const dialect = schemaDialect(schema);
  const { $schema: _dialect, ...plain } = withRefinements(schema);
  if (hasNames(plain)) return newAjv(dialect, mentionsMetaSchema(plain)).compile(plain);
  shared[dialect] ??= newAjv(dialect, false);
  const ajv = shared[dialect] as Ajv;
  const check = ajv.compile(plain);
  // ajv would keep every schema forever; the caller is the only owner.
  ajv.removeSchema(plain);
  return check;
}

const shared: { [dialect in SchemaDialect]?: Ajv } = {};

// Third-party schemas contain keywords and formats that ajv does not know; they must not prevent a tool from loading.
// Validating them against the meta-schema would cost each process more than compiling all of its own schemas.
const AJV_OPTIONS = {
  strict: false,
  validateSchema: false,
  // Optimizing the generated code takes longer than a process spends running it.
  code: { optimize: false },
  allErrors: true,
  useDefaults: true,
  // A format describes a value but does not restrict it.
  validateFormats: false,
  // Inherited members are not properties: a parameter may be called `toString`.
  ownProperties: true,
  logger: false,
} as const;

function newAjv(dialect: SchemaDialect, meta: boolean): Ajv {
  const ajv =
    dialect === "draft-07"
      ? new Ajv({ ...AJV_OPTIONS, meta, ignoreKeywordsWithRef: true } as object)
      : new Ajv2020({ ...AJV_OPTIONS, meta });
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    validate: (divisor: number, value: number) => isMultipleOf(value, divisor),
    error: { message: ({ schemaCode }) => `must be a multiple of ${schemaCode}` },
  });
  ajv.addKeyword({ keyword: REFINEMENT_KEYWORD, validate: refine });
  return ajv;
}

const refine: SchemaValidateFunction = (refinements: readonly Refinement[], value: unknown) => {
  const failed = refinements.filter(({ check }) => !check(value));
  refine.errors = failed.map(({ error }) => ({ keyword: "standard", message: error(value), params: {} }));
  return failed.length === 0;
};

/** Returns whether a schema, or part of it, has a name that could collide with others. */
function hasNames(schema: AnySchemaObject): boolean {
  return (
    /"\$(?:id|anchor|dynamicAnchor|recursiveAnchor)":/.test(JSON.stringify(schema)) ||
    mentionsMetaSchema(schema)
  );
}

function mentionsMetaSchema(schema: AnySchemaObject): boolean {
  return JSON.stringify(schema).includes('"$ref":"http');
}
