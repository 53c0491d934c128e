/** JSON Schema as plain data; whatever reads it decides which keywords it knows. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * A JSON Schema that remembers two types: `Given` is what a model writes (defaults may be
 * left out), `Parsed` is what a tool gets (defaults filled in). At run time it is only the schema.
 */
export type Schema<Given = unknown, Parsed = Given> = JsonSchema & {
  readonly "~types"?: { readonly given: Given; readonly parsed: Parsed };
};

/** A property that may be left out and has no default. */
export interface OptionalSchema<S extends AnySchema = AnySchema> {
  readonly optional: S;
}

// biome-ignore lint/suspicious/noExplicitAny: the bound of a generic, in a variance position.
export type AnySchema = Schema<any, any>;

/** The type of a value as a model may write it. */
export type Given<S> = S extends Schema<infer G, unknown> ? G : never;

/** The type of a value after validation, with defaults filled in. */
export type Parsed<S> = S extends Schema<unknown, infer P> ? P : never;
