import type { ModelMessage, ToolApprovalResponse } from "ai";

/** Returns the approval answers in a conversation, by call id. */
export function answersIn(messages: readonly ModelMessage[]): ReadonlyMap<string, ToolApprovalResponse> {
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
