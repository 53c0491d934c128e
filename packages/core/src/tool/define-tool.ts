import type { ToolPermission } from "../permission/tool-permission.js";
import type { AuthoredSchema, SchemaOf } from "../schema/authored-schema.js";
import type { Given, Parsed } from "../schema/schema.js";
import type { AnyToken, ServicesOf } from "../service/token.js";
import type { ToolClass } from "./tool.js";
import { tool } from "./tool-decorator.js";
import {
  type AnyDefinition,
  type AuthoredDefinition,
  type ContextOf,
  type DefinitionOf,
  toolDefinition,
} from "./tool-definition.js";

/**
 * Defines a tool as data plus one function, and announces it. Accepts schemas from `s`, zod, valibot, ArkType and
 * TypeBox, or plain JSON Schema. `run` receives its arguments, the context, and the services that `inject` names.
 */
export function defineTool<
  const Input extends AuthoredSchema,
  const Output extends AuthoredSchema | undefined = undefined,
  const Permission extends ToolPermission = never,
  const Inject extends readonly AnyToken[] = readonly [],
  Result = unknown,
>(
  authored: AuthoredTool<Input, Output, Permission, Inject, Result>,
): DefinedTool<DefinitionOf<Input, Output, Permission, Inject, Result>> {
  const { run, ...data } = authored;
  const definition = toolDefinition(data as never);

  class DefinedToolClass {
    readonly #services: ServicesOf<Inject>;

    constructor(...services: never) {
      this.#services = services;
    }

    async run(args: never, context: never): Promise<unknown> {
      return run(args, context, ...this.#services);
    }
  }
  Object.defineProperty(DefinedToolClass, "name", { value: definition.name });
  tool(definition)(DefinedToolClass as never);
  return DefinedToolClass as never;
}

type AuthoredTool<
  Input extends AuthoredSchema,
  Output extends AuthoredSchema | undefined,
  Permission extends ToolPermission,
  Inject extends readonly AnyToken[],
  Result,
> = AuthoredDefinition<Input, Output, Permission, Inject, Result> & {
  run(
    args: Parsed<SchemaOf<Input>>,
    context: ContextOf<DefinitionOf<Input, Output, Permission, Inject>>,
    ...services: ServicesOf<Inject>
  ): Output extends AuthoredSchema
    ? Given<SchemaOf<Output>> | Promise<Given<SchemaOf<Output>>>
    : Result | Promise<Result>;
};

/** A tool class with its definition, as returned by `defineTool`. */
export type DefinedTool<D extends AnyDefinition> = ToolClass<D> & { readonly definition: D };
