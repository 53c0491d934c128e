import { type JsonSchema, PATH_FORMAT, type Validator } from "@haft/core";
import { compileSchema } from "@haft/core/compile-schema";

/** Throws for a schema that cannot be compiled, which the kernel sees no sooner than a call needs it. */
export function provenValidator(schema: JsonSchema): Validator {
  const validate = compileSchema(schema);
  validate(undefined);
  return validate;
}

/** The parameters of a schema, at any depth, that carry no description. */
export function describedParts(schema: JsonSchema, place = ""): { readonly undescribed: readonly string[] } {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const undescribed = properties.flatMap(([name, property]) => {
    const here = place === "" ? name : `${place}.${name}`;
    const own = String(property.description ?? "").trim() === "" ? [here] : [];
    const items = (property.items ?? {}) as JsonSchema;
    return [
      ...own,
      ...describedParts(property, here).undescribed,
      ...describedParts(items, here).undescribed,
    ];
  });
  return { undescribed };
}

/** Parameters that are a workspace path. */
export function pathParametersOf(schema: JsonSchema): readonly string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return properties.filter(([, property]) => property.format === PATH_FORMAT).map(([name]) => name);
}

/** What is said of workspace paths, at any depth. */
export function pathDescriptionsOf(schema: JsonSchema): readonly string[] {
  const properties = Object.values((schema.properties ?? {}) as Record<string, JsonSchema>);
  const members = schema.items === undefined ? properties : [...properties, schema.items as JsonSchema];
  const own = schema.format === PATH_FORMAT ? [String(schema.description)] : [];
  return [...own, ...members.flatMap(pathDescriptionsOf)];
}
