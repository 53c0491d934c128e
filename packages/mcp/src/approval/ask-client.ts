import { type ApprovalAnswer, type ApprovalRequest, messageOf } from "@haft/core";
import { type RequestMeta, SdkError, SdkErrorCode } from "@modelcontextprotocol/server";
import type { CallClient } from "../call/call-client.js";
import { approvalForm } from "./approval-form.js";
import { readAnswer } from "./read-answer.js";

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Sent with the question, for example to name its task. */
  readonly meta?: RequestMeta;
}

/** Asks the client's user by elicitation. Never rejects: a failed question is a denial with the reason. */
export async function askClient(
  client: CallClient,
  request: ApprovalRequest,
  { signal, timeoutMs, meta }: AskOptions,
): Promise<ApprovalAnswer> {
  try {
    const form = { ...approvalForm(request), ...(meta && { _meta: meta }) };
    return readAnswer(await client.elicit(form, { signal, timeoutMs }), request, client.name);
  } catch (cause) {
    if (isTimeout(cause)) return { approved: false, failure: "timeout" };
    return { approved: false, feedback: `the client failed to ask (${briefly(messageOf(cause))})` };
  }
}

/** Leaves out the list of what a schema expected instead, which spans many lines. */
function briefly(message: string): string {
  return message.replace(/: \[\n[\s\S]*$/, "");
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout;
}
