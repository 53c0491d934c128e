import type { ToolResult, ToolRuntime } from "@haft/core";
import { type FunctionTool, type RunContext, tool } from "@openai/agents";
import { type AdapterOptions, adaptedTools, approvalsOf } from "./adapter-options.js";

/** A runtime's tools for the OpenAI Agents SDK. With `askedBy: "library"` a question is an interruption of the run. */
export function toOpenAiAgentsTools(
  runtime: ToolRuntime,
  options: AdapterOptions = {},
): readonly FunctionTool[] {
  const approvals = approvalsOf(runtime, options);
  const settleRejected = async (context: RunContext | undefined) => {
    for (const { tool: toolName, callId } of (await approvals?.waiting()) ?? [])
      if (context?.isToolApproved({ toolName, callId }) === false) await approvals?.deny(callId);
  };
  return adaptedTools(runtime, options).map(({ name, description, parameters }) =>
    tool({
      name,
      description,
      strict: false,
      parameters: parameters as never,
      needsApproval: async (context, args, callId) => {
        await settleRejected(context);
        if (approvals === undefined || callId === undefined) return false;
        // Asked again with the answer at hand: whether it was for this very plan is judged when it runs.
        if (context.isToolApproved({ toolName: name, callId }) !== undefined) return true;
        return (await approvals.questionOf({ tool: name, args, callId })) !== undefined;
      },
      execute: async (args, context, details) => {
        await settleRejected(context as RunContext | undefined);
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
