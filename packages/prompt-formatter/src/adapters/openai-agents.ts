import type { ToolResult, ToolRuntime } from "@haft/core";
import { type FunctionTool, type RunContext, tool } from "@openai/agents";
import { type AdapterOptions, adaptedTools, approvalsOf } from "./adapter-options.js";

/** Converts a runtime's tools for the OpenAI Agents SDK. With `askedBy: "library"`, a request interrupts the run. */
export function toOpenAiAgentsTools(
  runtime: ToolRuntime,
  options: AdapterOptions = {},
): readonly FunctionTool[] {
  const approvals = approvalsOf(runtime, "OpenAI Agents SDK", options);
  const settleRejected = async (context: RunContext) => {
    await approvals?.settleDenied(({ tool: toolName, callId }) =>
      context.isToolApproved({ toolName, callId }) === false ? {} : undefined,
    );
    return true;
  };
  return adaptedTools(runtime, options).map(({ name, description, parameters }) =>
    tool({
      name,
      // Called in every turn. It is the only way to learn about a rejection that no other call follows.
      isEnabled: ({ runContext }) => settleRejected(runContext),
      description,
      strict: false,
      parameters: parameters as never,
      needsApproval: async (context, args, callId) => {
        if (approvals === undefined || callId === undefined) return false;
        // The answer is already known. Whether it matches the current plan is checked when the call runs.
        const isAllowed = context.isToolApproved({ toolName: name, callId });
        if (isAllowed !== undefined) return true;
        return (await approvals.questionOf({ tool: name, args, callId })) !== undefined;
      },
      execute: async (args, _context, details) => {
        const callId = details?.toolCall?.callId;
        const signal = details?.signal;
        if (approvals !== undefined && callId !== undefined)
          return outputOf(await approvals.run({ tool: name, args, callId }, signal));
        return outputOf(
          await runtime.call(name, args, { ...(callId && { callId }), ...(signal && { signal }) }),
        );
      },
    }),
  );
}

function outputOf(result: ToolResult) {
  const images = result.ok ? result.content.filter((part) => part.type === "image") : [];
  if (images.length === 0) return result.text;
  const shown = images.map(({ data, mimeType: mediaType }) => ({
    type: "image" as const,
    image: { data, mediaType },
  }));
  return [{ type: "text" as const, text: result.text }, ...shown];
}
