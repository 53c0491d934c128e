import type { ToolResult, ToolRuntime } from "@haft/core";
import { jsonSchema, type ToolSet, tool } from "ai";
import { type AdapterOptions, adaptedTools, approvalsOf } from "./adapter-options.js";
import { answersIn } from "./ai-sdk-answers.js";

/** A runtime's tools for the Vercel AI SDK. With `askedBy: "library"` approval is its `needsApproval`. */
export function toAiSdkTools(runtime: ToolRuntime, options: AdapterOptions = {}): ToolSet {
  const approvals = approvalsOf(runtime, options);
  const entries = adaptedTools(runtime, options).map(({ name, description, parameters }) => {
    const adapted = tool({
      description,
      inputSchema: jsonSchema<unknown>(parameters),
      needsApproval: async (args, { toolCallId: callId, messages }) => {
        if (approvals === undefined) return false;
        const answers = answersIn(messages);
        for (const { callId: waiting } of await approvals.waiting()) {
          const answer = answers.get(waiting);
          if (answer?.approved === false) await approvals.deny(waiting, answer.reason);
        }
        // Asked again with the answer at hand: whether it was for this very plan is judged when it runs.
        if (answers.has(callId)) return true;
        return (await approvals.questionOf({ tool: name, args, callId })) !== undefined;
      },
      execute: (args, { toolCallId: callId, abortSignal: signal }): Promise<ToolResult> =>
        approvals?.run({ tool: name, args, callId }, signal) ??
        runtime.call(name, args, { callId, ...(signal && { signal }) }),
      toModelOutput: ({ output }) => modelOutput(output),
    });
    return [name, adapted] as const;
  });
  return Object.fromEntries(entries);
}

function modelOutput(result: ToolResult) {
  const { text } = result;
  if (!result.ok) return { type: "error-text" as const, value: text };
  const images = result.content.flatMap((part) =>
    part.type === "image" ? [{ type: "image-data" as const, data: part.data, mediaType: part.mimeType }] : [],
  );
  if (images.length === 0) return { type: "text" as const, value: text };
  return { type: "content" as const, value: [{ type: "text" as const, text }, ...images] };
}
