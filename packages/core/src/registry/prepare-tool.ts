import type { Dialect } from "../dialect/dialect.js";
import type { Role } from "../permission/role.js";
import { compileSchema } from "../schema/compile-schema.js";
import type { JsonSchema } from "../schema/schema.js";
import type { ServiceContainer } from "../service/service-container.js";
import { type AnyToolClass, definitionOf } from "../tool/tool.js";
import type { RegisteredTool, RunnableTool } from "./registered-tool.js";

/** What the tools of one registry share. */
export interface RegistrySetting {
  readonly role: Role;
  readonly dialect: Dialect;
  readonly services: ServiceContainer;
  absolute(path: string): string;
}

/** A tool ready to be called. Its schemas are compiled and its instance is made when they are first needed. */
export function prepareTool(
  toolClass: AnyToolClass,
  spelling: RegisteredTool["spelling"],
  { services, dialect, absolute }: RegistrySetting,
): RegisteredTool {
  const definition = definitionOf(toolClass);
  let instance: RunnableTool | undefined;
  return {
    definition,
    spelling,
    dialect,
    absolute,
    parameters: (definition.input.properties ?? {}) as Record<string, JsonSchema>,
    validateInput: (value) => compileSchema(definition.input)(value),
    validateOutput: (value) => compileSchema(definition.output)(value),
    instance: () => {
      instance ??= services.build(toolClass, definition.inject ?? []);
      return instance;
    },
  };
}
