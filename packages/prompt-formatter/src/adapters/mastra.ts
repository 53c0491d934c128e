import type { ApprovalRequest, ToolResult, ToolRuntime } from "@haft/core";
import { type AdaptedTool, type AdapterOptions, adaptedTools, approvalsOf } from "./adapter-options.js";

/**
 * A runtime's tools for Mastra, made by its own `createTool`. With `askedBy: "library"` a call that
 * needs approval suspends the run with the question, and `approveToolCall` or `declineToolCall`
 * answers it. `requireApproval` is not used: Mastra tells it neither the call's id nor the answer.
 */
export function toMastraTools<T>(
  runtime: ToolRuntime,
  createTool: (options: MastraToolOptions) => T,
  options: AdapterOptions = {},
): Readonly<Record<string, T>> {
  const approvals = approvalsOf(runtime, options);
  const execute = (name: string) => async (args: unknown, context: MastraContext) => {
    const { agent, abortSignal: signal } = context;
    const callId = agent?.toolCallId;
    if (approvals === undefined || agent === undefined || callId === undefined)
      return runtime.call(name, args, { ...(callId && { callId }), ...(signal && { signal }) });
    const call = { tool: name, args, callId };
    const answer = agent.resumeData;
    const question = answer === undefined ? await approvals.questionOf(call) : undefined;
    if (question !== undefined) return agent.suspend(question);
    // Whatever is not a plain yes is a no: a model may have had a hand in what a run is resumed with.
    const isRefused = answer !== undefined && answer?.approved !== true;
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

/** What `createTool` of `@mastra/core` is given; its own types are not needed to use it. */
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
    suspend(question: ApprovalRequest): Promise<void>;
  };
}

export interface MastraAnswer {
  readonly approved?: boolean;
  readonly reason?: string;
}
