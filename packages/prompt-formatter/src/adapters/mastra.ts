import { type ApprovalRequest, isApproved, type ToolResult, type ToolRuntime } from "@haft/core";
import { formatApproval } from "../format-approval.js";
import { type AdaptedTool, type AdapterOptions, adaptedTools, approvalsOf } from "./adapter-options.js";

/**
 * Converts a runtime's tools for Mastra with its own `createTool`. With `askedBy: "library"`, a call that needs
 * approval suspends the run with the request and its `text`; `approveToolCall` or `declineToolCall` answers it.
 * `requireApproval` is not used, because Mastra gives it neither the call id nor the answer.
 */
export function toMastraTools<T>(
  runtime: ToolRuntime,
  createTool: (options: MastraToolOptions) => T,
  options: AdapterOptions = {},
): Readonly<Record<string, T>> {
  const approvals = approvalsOf(runtime, "Mastra", options);
  const execute = (name: string) => async (args: unknown, context: MastraContext) => {
    const { agent, abortSignal: signal } = context;
    const callId = agent?.toolCallId;
    if (approvals === undefined || agent === undefined || callId === undefined)
      return runtime.call(name, args, { ...(callId && { callId }), ...(signal && { signal }) });
    const call = { tool: name, args, callId };
    const answer = agent.resumeData;
    const question = answer === undefined ? await approvals.questionOf(call) : undefined;
    if (question !== undefined) return agent.suspend({ ...question, text: formatApproval(question) });
    // Anything but a plain approval is a denial: a model may have influenced the data a run is resumed with.
    const isRefused = answer !== undefined && !isApproved(answer);
    const refused = isRefused ? await approvals.deny(callId, reasonOf(answer)) : undefined;
    return refused ?? approvals.run(call, signal);
  };
  const toModelOutput = ({ ok, text }: ToolResult) => ({ type: ok ? "text" : "error-text", value: text });
  const tools = adaptedTools(runtime, options).map(({ name, description, parameters }) => {
    const made = { id: name, description, inputSchema: parameters, execute: execute(name), toModelOutput };
    return [name, createTool(made)] as const;
  });
  return Object.fromEntries(tools);
}

function reasonOf(answer: MastraAnswer | null): string | undefined {
  return typeof answer?.reason === "string" ? answer.reason : undefined;
}

/** The request, and its full text rendered by `formatApproval`. */
export interface MastraQuestion extends ApprovalRequest {
  readonly text: string;
}

/** The argument of `createTool` in `@mastra/core`, declared here to avoid a dependency on its types. */
export interface MastraToolOptions {
  readonly id: string;
  readonly description: string;
  readonly inputSchema: AdaptedTool["parameters"];
  execute(args: unknown, context: MastraContext): Promise<unknown>;
  toModelOutput(result: ToolResult): { readonly type: string; readonly value: string };
}

export interface MastraContext {
  readonly abortSignal?: AbortSignal;
  readonly agent?: {
    readonly toolCallId?: string;
    readonly resumeData?: MastraAnswer | null;
    suspend(question: MastraQuestion): Promise<void>;
  };
}

export interface MastraAnswer {
  readonly approved?: boolean;
  readonly reason?: string;
}
