/** JSON Schema as plain data. Each consumer decides which keywords it supports. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * A JSON Schema that carries two types: `Given` is what a model writes (defaults may be omitted), `Parsed` is what a
 * tool receives (defaults filled in). At run time it is only the schema.
 */
export type Schema<Given = unknown, Parsed = Given> = JsonSchema & {
  readonly "~types"?: { readonly given: Given; readonly parsed: Parsed };
};

/** An optional property without a default. */
export interface OptionalSchema<S extends AnySchema = AnySchema> {
  readonly optional: S;
}

// biome-ignore lint/suspicious/noExplicitAny: the bound of a generic, in a variance position.
export type AnySchema = Schema<any, any>;

/** The type of a value as a model may write it. */
export type Given<S> = S extends Schema<infer G, unknown> ? G : never;

/** The type of a value after validation, with defaults filled in. */
export type Parsed<S> = S extends Schema<unknown, infer P> ? P : never;
