import type { ToolResult, ToolRuntime } from "@haft/core";
import { ToolMessage } from "@langchain/core/messages";
import { type DynamicStructuredTool, type ToolRunnableConfig, tool } from "@langchain/core/tools";
import { type AdapterOptions, adaptedTools } from "./adapter-options.js";
import type { LibraryApprovals } from "./library-approvals.js";

/** The options that apply to LangChain. Which function is called determines who asks. */
export type LangChainOptions = Pick<AdapterOptions, "terminate" | "onProgress" | "onQuestion">;

/** Without `approvals`, the runtime's approver asks while a tool runs. */
export function langChainTools(
  runtime: ToolRuntime,
  options: LangChainOptions,
  approvals: LibraryApprovals | undefined,
): DynamicStructuredTool[] {
  return adaptedTools(runtime, options).map(({ name, description, parameters }) => {
    const run = async (args: unknown, { toolCall, signal }: ToolRunnableConfig) => {
      const callId = toolCall?.id;
      if (callId === undefined) return (await runtime.call(name, args, { ...(signal && { signal }) })).text;
      const result = await (approvals?.run({ tool: name, args, callId }, signal) ??
        runtime.call(name, args, { callId, ...(signal && { signal }) }));
      return toolMessage(name, callId, result);
    };
    return tool(run, { name, description, schema: parameters }) as unknown as DynamicStructuredTool;
  });
}

function toolMessage(name: string, callId: string, result: ToolResult): ToolMessage {
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
    content: blocks.length === 0 ? result.text : [{ type: "text" as const, text: result.text }, ...blocks],
    status: result.ok ? "success" : "error",
    artifact: result,
  });
}
