import type { ToolRuntime } from "@haft/core";
import { ToolMessage } from "@langchain/core/messages";
import { type DynamicStructuredTool, type ToolRunnableConfig, tool } from "@langchain/core/tools";
import { type AdapterOptions, adaptedTools } from "./adapter-options.js";

/** A runtime's tools for LangChain. It has no question of its own: the runtime's gate asks while a tool runs. */
export function toLangChainTools(
  runtime: ToolRuntime,
  options: Pick<AdapterOptions, "terminate"> = {},
): readonly DynamicStructuredTool[] {
  return adaptedTools(runtime, options).map(({ name, description, parameters }) => {
    const run = async (args: unknown, { toolCall, signal }: ToolRunnableConfig) => {
      const callId = toolCall?.id;
      const result = await runtime.call(name, args, { ...(callId && { callId }), ...(signal && { signal }) });
      if (callId === undefined) return result.text;
      const images = result.ok ? result.content.filter((part) => part.type === "image") : [];
      const blocks = images.map(({ data, mimeType }) => ({
        type: "image" as const,
        source_type: "base64",
        mime_type: mimeType,
        data,
      }));
      return new ToolMessage({
        name,
        tool_call_id: callId,
        content:
          blocks.length === 0 ? result.text : [{ type: "text" as const, text: result.text }, ...blocks],
        status: result.ok ? "success" : "error",
        artifact: result,
      });
    };
    return tool(run, { name, description, schema: parameters }) as unknown as DynamicStructuredTool;
  });
}
