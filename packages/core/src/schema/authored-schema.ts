import type { AnySchema, JsonSchema, Schema } from "./schema.js";
import type { StandardSchema } from "./standard-schema.js";

/** Schemas an author can write: `s`, a Standard Schema (zod, valibot, ArkType), TypeBox or plain JSON Schema. */
export type AuthoredSchema = AnySchema | StandardSchema | SchemaObject;

/** A JSON Schema typed as an interface, as TypeBox does: interfaces have no index signature. */
interface SchemaObject {
  readonly type?: unknown;
  readonly anyOf?: unknown;
  readonly allOf?: unknown;
  readonly properties?: unknown;
  readonly $ref?: unknown;
}

/** The kernel's schema type for an authored schema, with the types of both sides inferred. */
export type SchemaOf<S> =
  S extends StandardSchema<infer Given, infer Parsed>
    ? Schema<Given, Parsed>
    : "~types" extends keyof S
      ? S extends AnySchema
        ? S
        : never
      : Schema<Infer<S, "given">, Infer<S, "parsed">>;

type Side = "given" | "parsed";

/** The type that a literal JSON Schema describes. Unknown keywords widen it to unknown. */
type Infer<S, D extends Side> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly anyOf: readonly (infer Option)[] }
      ? Infer<Option, D>
      : S extends { readonly oneOf: readonly (infer Option)[] }
        ? Infer<Option, D>
        : S extends { readonly allOf: readonly [infer First, ...infer Rest] }
          ? Infer<First, D> & (Rest extends readonly [] ? unknown : Infer<{ readonly allOf: Rest }, D>)
          : S extends { readonly type: infer Type }
            ? InferType<Type, S, D>
            : unknown;

type InferType<Type, S, D extends Side> = Type extends readonly (infer One)[]
  ? InferType<One, S, D>
  : Type extends "string"
    ? string
    : Type extends "number" | "integer"
      ? number
      : Type extends "boolean"
        ? boolean
        : Type extends "null"
          ? null
          : Type extends "array"
            ? InferArray<S, D>
            : Type extends "object"
              ? InferObject<S, D>
              : unknown;

type InferArray<S, D extends Side> = S extends { readonly items: infer Item }
  ? Item extends readonly unknown[]
    ? InferTuple<Item, S, D>
    : Infer<Item, D>[]
  : unknown[];

/** Exact only where the schema allows neither fewer nor more items, as TypeBox's tuples do. */
type InferTuple<Items extends readonly unknown[], S, D extends Side> = S extends {
  readonly additionalItems: false;
  readonly minItems: Items["length"];
}
  ? { -readonly [K in keyof Items]: Infer<Items[K], D> }
  : unknown[];

type InferObject<S, D extends Side> = S extends { readonly properties: infer Properties }
  ? Flat<
      { -readonly [K in keyof Properties & Present<S, Properties, D>]: Infer<Properties[K], D> } & {
        -readonly [K in Exclude<keyof Properties, Present<S, Properties, D>>]?: Infer<Properties[K], D>;
      }
    >
  : S extends { readonly additionalProperties: infer Value extends JsonSchema }
    ? Record<string, Infer<Value, D>>
    : S extends { readonly patternProperties: infer Patterns }
      ? Record<string, Infer<Patterns[keyof Patterns], D>>
      : Record<string, unknown>;

/** A default makes a property present after parsing. */
type Present<S, Properties, D extends Side> =
  | (S extends { readonly required: readonly (infer Name)[] } ? Name : never)
  | (D extends "parsed"
      ? {
          [K in keyof Properties]: Properties[K] extends { readonly default: unknown } ? K : never;
        }[keyof Properties]
      : never);

type Flat<T> = { [K in keyof T]: T[K] };
