import type { ToolDescription, ToolPermission } from "@haft/core";
import { portableSchema } from "../schema/portable-schema.js";
import {
  describeForProvider,
  type ObjectSchema,
  type ProviderOptions,
  parametersOf,
} from "./provider-options.js";

/** A tool as an MCP server lists it. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** Left out when a result is not an object, which the protocol cannot describe. */
  readonly outputSchema?: ObjectSchema;
  readonly annotations: McpAnnotations;
}

export interface McpAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export function toMcpTools(
  tools: readonly ToolDescription[],
  { terminate = false }: ProviderOptions = {},
): McpTool[] {
  return tools.map((tool) => {
    const outputSchema = portableSchema(tool.output);
    return {
      name: tool.name,
      title: tool.title,
      description: describeForProvider(tool),
      inputSchema: { ...dialectOf(tool), ...parametersOf(tool, { terminate }) },
      ...(outputSchema.type === "object" ? { outputSchema: outputSchema as ObjectSchema } : {}),
      annotations: mcpAnnotations(tool),
    };
  });
}

/** Here a schema may say which JSON Schema it is written in; elsewhere nobody wants to know. */
function dialectOf({ input }: ToolDescription): { readonly $schema?: string } {
  return typeof input.$schema === "string" ? { $schema: input.$schema } : {};
}

/** Hints from permissions. A permission nobody here knows counts as the worst it could be. */
export function mcpAnnotations({ title, permissions, idempotent }: ToolDescription): McpAnnotations {
  return {
    title,
    readOnlyHint: permissions.every((permission) => permission === "ReadFiles"),
    destructiveHint: permissions.some((permission) => !HARMLESS.has(permission)),
    idempotentHint: idempotent,
    openWorldHint: permissions.some((permission) => !CLOSED_WORLD.has(permission)),
  };
}

const HARMLESS: ReadonlySet<ToolPermission> = new Set<ToolPermission>(["ReadFiles", "CreateFiles"]);

/** What stays in the workspace or in the sandbox, which has no network. */
const CLOSED_WORLD: ReadonlySet<ToolPermission> = new Set<ToolPermission>([
  "ReadFiles",
  "WriteFiles",
  "CreateFiles",
  "DeleteFiles",
  "RunCode",
]);
