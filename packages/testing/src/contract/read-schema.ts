import type { JsonSchema } from "@haft/core";
import type { Validator } from "@haft/core/compile-schema";
import { compileSchema } from "@haft/core/compile-schema";
import { PATH_FORMAT } from "@haft/core/kernel";

/** Throws if a schema cannot be compiled, which the kernel would detect only on the first call. */
export function provenValidator(schema: JsonSchema): Validator {
  const validate = compileSchema(schema);
  validate(undefined);
  return validate;
}

/** Returns the parameters without a description, at any depth. */
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

/** Returns the parameters that are workspace paths. */
export function pathParametersOf(schema: JsonSchema): readonly string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return properties.filter(([, property]) => property.format === PATH_FORMAT).map(([name]) => name);
}

/** Returns the descriptions of workspace paths, at any depth. */
export function pathDescriptionsOf(schema: JsonSchema): readonly string[] {
  const properties = Object.values((schema.properties ?? {}) as Record<string, JsonSchema>);
  const members = schema.items === undefined ? properties : [...properties, schema.items as JsonSchema];
  const own = schema.format === PATH_FORMAT ? [String(schema.description)] : [];
  return [...own, ...members.flatMap(pathDescriptionsOf)];
}
