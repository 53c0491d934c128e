import type { AnySchema, Given, JsonSchema, OptionalSchema, Parsed, Schema } from "./schema.js";

/** Builds JSON Schemas with inferred types. The description comes first and is required, because the model reads it. */
export const s = {
  string: <const O extends StringOptions = object>(description: string, options?: O) =>
    described({ type: "string" }, description, options) as WithDefault<string, O>,

  /** A path inside the workspace. Dialects decide how it is written. */
  path: <const O extends StringOptions = object>(description: string, options?: O) =>
    described(
      { type: "string", format: PATH_FORMAT, minLength: 1, maxLength: 4096 },
      description,
      options,
    ) as WithDefault<string, O>,

  integer: <const O extends NumberOptions = object>(description: string, options?: O) =>
    described({ type: "integer" }, description, options) as WithDefault<number, O>,

  number: <const O extends NumberOptions = object>(description: string, options?: O) =>
    described({ type: "number" }, description, options) as WithDefault<number, O>,

  boolean: <const O extends { default?: boolean } = object>(description: string, options?: O) =>
    described({ type: "boolean" }, description, options) as WithDefault<boolean, O>,

  enum: <const V extends readonly string[], const O extends { default?: V[number] } = object>(
    description: string,
    values: V,
    options?: O,
  ) => described({ type: "string", enum: values }, description, options) as WithDefault<V[number], O>,

  array: <I extends AnySchema, const O extends ArrayOptions = object>(
    description: string,
    items: I,
    options?: O,
  ) =>
    described({ type: "array", items }, description, options) as O extends { default: unknown }
      ? Schema<Given<I>[] | undefined, Parsed<I>[]>
      : Schema<Given<I>[], Parsed<I>[]>,

  object: <P extends Properties>(properties: P, description?: string) =>
    objectSchema(properties, description) as Schema<GivenObject<P>, ParsedObject<P>>,

  /** An object with arbitrary keys whose values share one schema. */
  record: <V extends AnySchema>(description: string, values: V) =>
    described({ type: "object", additionalProperties: values }, description) as Schema<
      Record<string, Given<V>>,
      Record<string, Parsed<V>>
    >,

  anyOf: <const A extends readonly AnySchema[]>(description: string, alternatives: A) =>
    described({ anyOf: alternatives }, description) as Schema<Given<A[number]>, Parsed<A[number]>>,

  /** Any JSON value. */
  json: (description: string) => described({}, description) as Schema<unknown, unknown>,

  /** An optional property. */
  optional: <S extends AnySchema>(schema: S): OptionalSchema<S> => ({ optional: schema }),
};

/** Marks a string as a workspace path in a schema. Provider formats omit it. */
export const PATH_FORMAT = "workspace-path";

export type Properties = Readonly<Record<string, AnySchema | OptionalSchema>>;

interface StringOptions {
  readonly default?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

interface NumberOptions {
  readonly default?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface ArrayOptions {
  readonly default?: readonly unknown[];
  readonly minItems?: number;
  readonly maxItems?: number;
}

type WithDefault<T, O> = O extends { default: unknown } ? Schema<T | undefined, T> : Schema<T, T>;

type GivenObject<P> = Simplify<
  { [K in keyof P as IsOmittable<P[K]> extends true ? never : K]: GivenProperty<P[K]> } & {
    [K in keyof P as IsOmittable<P[K]> extends true ? K : never]?: Exclude<GivenProperty<P[K]>, undefined>;
  }
>;

type ParsedObject<P> = Simplify<
  { [K in keyof P as P[K] extends OptionalSchema ? never : K]: Parsed<P[K]> } & {
    [K in keyof P as P[K] extends OptionalSchema ? K : never]?: P[K] extends OptionalSchema<infer S>
      ? Parsed<S>
      : never;
  }
>;

type GivenProperty<S> = S extends OptionalSchema<infer I> ? Given<I> : Given<S>;
type IsOmittable<S> = S extends OptionalSchema ? true : undefined extends Given<S> ? true : false;
type Simplify<T> = { [K in keyof T]: T[K] } & {};

function described(schema: JsonSchema, description: string, options?: object): JsonSchema {
  return { ...schema, description, ...options };
}

function objectSchema(properties: Properties, description?: string): JsonSchema {
  const required: string[] = [];
  const schemas: Record<string, AnySchema> = {};
  for (const [name, property] of Object.entries(properties)) {
    const schema = isOptional(property) ? property.optional : property;
    schemas[name] = schema;
    if (!isOptional(property) && !("default" in schema)) required.push(name);
  }
  return {
    type: "object",
    ...(description === undefined ? {} : { description }),
    properties: schemas,
    required,
    additionalProperties: false,
  };
}

function isOptional(property: AnySchema | OptionalSchema): property is OptionalSchema {
  return "optional" in property && typeof property.optional === "object";
}
