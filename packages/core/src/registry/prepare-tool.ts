import type { Dialect } from "../dialect/dialect.js";
import type { Role } from "../permission/role.js";
import type { JsonSchema } from "../schema/schema.js";
import { schemaCheck } from "../schema/schema-check.js";
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
    validateInput: schemaCheck(definition.input),
    validateOutput: schemaCheck(definition.output),
    instance: () => {
      instance ??= services.build(toolClass, definition.inject ?? []);
      return instance;
    },
  };
}
