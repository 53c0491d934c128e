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
  /** Omitted if the result is not an object, which the protocol cannot describe. */
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

/** MCP schemas may declare their JSON Schema dialect; other formats omit it. */
function dialectOf({ input }: ToolDescription): { readonly $schema?: string } {
  return typeof input.$schema === "string" ? { $schema: input.$schema } : {};
}

/** Derives hints from permissions. An unknown permission counts as the worst case. */
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

/** Permissions whose effects stay in the workspace or in the sandbox, which has no network. */
const CLOSED_WORLD: ReadonlySet<ToolPermission> = new Set<ToolPermission>([
  "ReadFiles",
  "WriteFiles",
  "CreateFiles",
  "DeleteFiles",
  "RunCode",
]);
