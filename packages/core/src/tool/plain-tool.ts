import { ToolError } from "../error/tool-error.js";
import type { ToolPermission } from "../permission/tool-permission.js";
import { authoredJsonSchema } from "../schema/authored-json-schema.js";
import type { JsonSchema } from "../schema/schema.js";
import type { StandardSchema } from "../schema/standard-schema.js";
import { type AnyToolClass, definitionOf } from "./tool.js";
import type { ToolCategory } from "./tool-category.js";
import type { AnyDefinition } from "./tool-definition.js";
import { assertToolName } from "./tool-name.js";
import { unannouncedTool } from "./unannounced-tool.js";

/** The smallest possible tool, for hosts that register one by hand. */
export interface PlainTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema | StandardSchema;
  readonly outputSchema: JsonSchema | StandardSchema;
  readonly requiresApproval: boolean | ((args: never) => boolean);
  readonly requiredPermissions?: readonly ToolPermission[];
  readonly category?: ToolCategory;
  execute(args: never, context: never): Promise<PlainResult>;
}

export type PlainResult =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly details?: Record<string, unknown>;
      };
    };

export function toolName(tool: AnyToolClass | PlainTool): string {
  return typeof tool === "function" ? definitionOf(tool).name : tool.name;
}

/** Creates a tool class from a plain tool. It is not announced: only the registry that receives it knows it. */
export function fromPlainTool(plain: PlainTool): AnyToolClass {
  assertToolName(plain.name);
  const [summary = plain.name, ...more] = plain.description.split("\n");
  const { requiresApproval } = plain;
  const definition: AnyDefinition = {
    name: plain.name,
    summary,
    ...(more.length === 0 ? {} : { guidance: more.join("\n").trim() }),
    category: plain.category ?? "x-other",
    permissions: plain.requiredPermissions ?? [],
    input: authoredJsonSchema(`the input of ${plain.name}`, plain.inputSchema),
    output: authoredJsonSchema(`the output of ${plain.name}`, plain.outputSchema, "output"),
    approval: ({ args }) =>
      (typeof requiresApproval === "function" ? requiresApproval(args as never) : requiresApproval)
        ? "confirm"
        : "auto",
  };
  return unannouncedTool(definition, async (args, context) => {
    const result = await plain.execute(args, context);
    if (result.ok) return result.value;
    throw new ToolError(result.error.code, result.error.message, { details: result.error.details });
  });
}
