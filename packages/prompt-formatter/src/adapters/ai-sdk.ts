import { isApproved, type ToolResult, type ToolRuntime } from "@haft/core";
import { jsonSchema, type ModelMessage, type ToolApprovalResponse, type ToolSet, tool } from "ai";
import { type AdapterOptions, adaptedTools, approvalsOf } from "./adapter-options.js";
import type { Denial, PendingCall } from "./library-call.js";

/** Converts a runtime's tools for the Vercel AI SDK. With `askedBy: "library"`, approvals use its `needsApproval`. */
export function toAiSdkTools(runtime: ToolRuntime, options: AdapterOptions = {}): ToolSet {
  const approvals = approvalsOf(runtime, "AI SDK", options);
  const entries = adaptedTools(runtime, options).map(({ name, description, parameters }) => {
    const adapted = tool({
      description,
      inputSchema: jsonSchema<unknown>(parameters),
      needsApproval: async (args, { toolCallId: callId, messages }) => {
        if (approvals === undefined) return false;
        const answers = answersIn(messages);
        await approvals.settleDenied(denialIn(answers));
        // The answer is already known. Whether it matches the current plan is checked when the call runs.
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

/**
 * Returns a `prepareStep` for `generateText` and `streamText`, for use with `askedBy: "library"`. The AI SDK runs a
 * tool whose call was approved but does not report a denial; this settles denied requests before the next step.
 */
export function settleDenials(
  runtime: ToolRuntime,
): (step: { readonly messages: readonly ModelMessage[] }) => Promise<undefined> {
  const approvals = approvalsOf(runtime, "AI SDK", { askedBy: "library" });
  return async ({ messages }) => {
    await approvals?.settleDenied(denialIn(answersIn(messages)));
    return undefined;
  };
}

function denialIn(answers: ReturnType<typeof answersIn>): (call: PendingCall) => Denial | undefined {
  return ({ callId }) => {
    const answer = answers.get(callId);
    return answer === undefined || isApproved(answer) ? undefined : { reason: answer.reason };
  };
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

/** Returns the approval answers in a conversation, by call id. */
function answersIn(messages: readonly ModelMessage[]): ReadonlyMap<string, ToolApprovalResponse> {
  const callOf = new Map<string, string>();
  const answers = new Map<string, ToolApprovalResponse>();
  for (const { content } of messages) {
    for (const part of typeof content === "string" ? [] : content) {
      if (part.type === "tool-approval-request") callOf.set(part.approvalId, part.toolCallId);
      if (part.type !== "tool-approval-response") continue;
      const callId = callOf.get(part.approvalId);
      if (callId !== undefined) answers.set(callId, part);
    }
  }
  return answers;
}
