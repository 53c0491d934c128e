import type { Capabilities } from "../capability/capabilities.js";
import type { Dialect } from "../dialect/dialect.js";
import type { Role } from "../permission/role.js";
import type { JsonSchema } from "../schema/schema.js";
import { schemaCheck } from "../schema/schema-check.js";
import type { ServiceContainer } from "../service/service-container.js";
import { type AnyToolClass, definitionOf, packOf } from "../tool/tool.js";
import type { RegisteredTool, RunnableTool } from "./registered-tool.js";

/** Shared by all tools of one registry. */
export interface RegistryContext {
  readonly role: Role;
  readonly dialect: Dialect;
  readonly services: ServiceContainer;
  /** Names of imported tools that this runtime was not given, for the error message. */
  readonly imported?: readonly string[];
  /** The capabilities that the host offers. A tool that needs another one is not listed. */
  readonly capabilities: Capabilities;
  absolute(path: string): string;
}

/** Prepares a tool for calls. Compiles its schemas and creates its instance on first use. */
export function prepareTool(
  toolClass: AnyToolClass,
  spelling: RegisteredTool["spelling"],
  { services, dialect, absolute }: RegistryContext,
): RegisteredTool {
  const definition = definitionOf(toolClass);
  let instance: RunnableTool | undefined;
  return {
    definition,
    pack: packOf(toolClass),
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
