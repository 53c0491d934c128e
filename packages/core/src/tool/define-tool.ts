import type { ToolPermission } from "../permission/tool-permission.js";
import { type StandardJsonSchema, toJsonSchema } from "../schema/from-json-schema.js";
import type { AnySchema, Parsed, Schema } from "../schema/schema.js";
import type { Tool } from "./tool.js";
import { tool } from "./tool-decorator.js";
import { type ContextOf, type ToolDefinition, toolDefinition } from "./tool-definition.js";

/**
 * The same as `@tool` without a class, and without decorator syntax, so that it runs under every
 * loader. Schemas may be ours, plain JSON Schema, or zod and friends.
 */
export function defineTool<
  const Input extends AuthoredSchema,
  const Output extends AuthoredSchema,
  const Permission extends ToolPermission = never,
>(authored: AuthoredTool<Input, Output, Permission>): DefinedTool<Input, Output, Permission> {
  const { run, ...data } = authored;
  const definition = toolDefinition({
    ...data,
    input: toJsonSchema(data.input),
    output: toJsonSchema(data.output),
  } as never) as DefinitionOf<Input, Output, Permission>;

  class DefinedToolClass {
    run(args: never, context: never): Promise<never> {
      return run(args, context) as Promise<never>;
    }
  }
  Object.defineProperty(DefinedToolClass, "name", { value: definition.name });
  tool(definition)(DefinedToolClass as never);
  return Object.assign(DefinedToolClass, { definition }) as never;
}

export type AuthoredSchema = AnySchema | StandardJsonSchema;

export type AuthoredTool<Input, Output, Permission extends ToolPermission> = Omit<
  DefinitionOf<Input, Output, Permission>,
  "input" | "output" | "inject"
> & {
  readonly input: Input;
  readonly output: Output;
  run(
    args: Parsed<SchemaOf<Input>>,
    context: ContextOf<DefinitionOf<Input, Output, Permission>>,
  ): Promise<Parsed<SchemaOf<Output>>>;
};

/** The class that `defineTool` made, with its definition at hand. */
export type DefinedTool<Input, Output, Permission extends ToolPermission> = {
  new (): Tool<DefinitionOf<Input, Output, Permission>>;
  readonly definition: DefinitionOf<Input, Output, Permission>;
};

type DefinitionOf<Input, Output, Permission extends ToolPermission> = ToolDefinition<
  SchemaOf<Input>,
  SchemaOf<Output>,
  Permission,
  readonly []
>;

type SchemaOf<S> =
  S extends StandardJsonSchema<infer G, infer P> ? Schema<G, P> : S extends AnySchema ? S : never;
