import type { Dialect } from "../dialect/dialect.js";
import type { SpelledTool } from "../dialect/spell-tool.js";
import type { JsonSchema } from "../schema/schema.js";
import type { SchemaCheck } from "../schema/schema-check.js";
import type { AnyDefinition } from "../tool/tool-definition.js";

/** One tool of one runtime, ready to be called. Schemas and instance are created on first use. */
export interface RegisteredTool {
  readonly definition: AnyDefinition;
  /** The npm package it comes from, if known. */
  readonly pack: string | undefined;
  readonly spelling: SpelledTool;
  readonly dialect: Dialect;
  readonly parameters: Readonly<Record<string, JsonSchema>>;
  readonly validateInput: SchemaCheck;
  readonly validateOutput: SchemaCheck;
  /** The absolute form of a workspace path. */
  absolute(path: string): string;
  instance(): RunnableTool;
}

export interface RunnableTool {
  run(args: unknown, context: unknown): Promise<unknown>;
}
