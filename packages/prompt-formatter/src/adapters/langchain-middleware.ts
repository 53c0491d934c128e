import type { ApprovalRequest } from "@haft/core";
import { type AgentMiddleware, humanInTheLoopMiddleware } from "langchain";
import type { ApprovalViewOptions } from "../approval-view.js";
import { formatApproval } from "../format-approval.js";
import type { LibraryApprovals } from "./library-approvals.js";
import type { LibraryCall } from "./library-call.js";

/**
 * Decides when a tool call interrupts the agent, and what users see. Omits `edit`, so that the call runs exactly as
 * shown.
 */
interface LangChainInterrupt {
  allowedDecisions: ("approve" | "reject")[];
  when(request: { readonly toolCall: LangChainCall }): Promise<boolean>;
  description(toolCall: LangChainCall, state: LangChainState): Promise<string>;
}

interface LangChainCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly id?: string;
}

/** LangChain's own middleware, which asks the runtime's questions and settles those that are denied. */
export function interruptingMiddleware(
  approvals: LibraryApprovals,
  toolNames: readonly string[],
): AgentMiddleware {
  const interrupt: LangChainInterrupt = {
    allowedDecisions: ["approve", "reject"],
    when: async ({ toolCall }) => (await questionOf(approvals, toolCall)) !== undefined,
    description: async (toolCall, state) => {
      const question = await questionOf(approvals, toolCall);
      if (question === undefined) return `${toolCall.name} needs approval`;
      return formatApproval(question, { position: await positionOf(approvals, toolCall, state) });
    },
  };
  const interruptOn = Object.fromEntries(toolNames.map((name) => [name, interrupt]));
  // LangChain's types reject every option under exactOptionalPropertyTypes.
  const create = humanInTheLoopMiddleware as (options: object) => object;
  return settlingDenials(create({ interruptOn }) as AgentMiddleware, approvals);
}

async function questionOf(
  approvals: LibraryApprovals,
  toolCall: LangChainCall,
): Promise<ApprovalRequest | undefined> {
  const call = libraryCall(toolCall);
  return call && ((await approvals.askedBefore(call)) ?? approvals.questionOf(call));
}

/** Returns the position of a question among those of one turn. */
async function positionOf(
  approvals: LibraryApprovals,
  { id }: LangChainCall,
  { messages }: LangChainState,
): Promise<ApprovalViewOptions["position"]> {
  const calls = lastCalls(messages);
  const questions = await Promise.all(calls.map((call) => questionOf(approvals, call)));
  const asking = calls.filter((_, index) => questions[index] !== undefined);
  return { index: asking.findIndex((call) => call.id === id) + 1, total: asking.length };
}

/**
 * Returns undefined for a call without an id, which cannot be found again. Its tool runs, and the runtime's approver
 * asks.
 */
function libraryCall({ name, args, id }: LangChainCall): LibraryCall | undefined {
  return id === undefined ? undefined : { tool: name, args, callId: id };
}

/**
 * LangChain does not tell a tool about rejections, and drops calls approved together with a rejected one. This wraps
 * its hook, which knows both, and settles every request whose call does not run.
 */
function settlingDenials(middleware: AgentMiddleware, approvals: LibraryApprovals): AgentMiddleware {
  const { afterModel } = middleware as object as { afterModel?: AfterModel };
  if (afterModel === undefined || typeof afterModel === "function")
    throw new TypeError("humanInTheLoopMiddleware has no afterModel hook: this needs langchain ^1.5");
  const hook: Hook = async (state, runtime) => {
    const calls = lastCalls(state.messages);
    const update = await afterModel.hook(state, runtime);
    await settle(approvals, calls, update?.messages ?? []);
    return update;
  };
  return { ...middleware, afterModel: { ...afterModel, hook } } as AgentMiddleware;
}

async function settle(
  approvals: LibraryApprovals,
  calls: readonly LangChainCall[],
  updated: readonly LangChainMessage[],
): Promise<void> {
  if (updated.length === 0) return;
  const reasons = new Map(updated.map((message) => [message.tool_call_id, message.content]));
  const kept = new Set(lastCalls(updated).map(({ id }) => id));
  for (const { id } of calls)
    if (id !== undefined && (reasons.has(id) || !kept.has(id)))
      await approvals.deny(id, textOf(reasons.get(id)));
}

function lastCalls(messages: readonly LangChainMessage[]): readonly LangChainCall[] {
  return messages.findLast(({ tool_calls }) => tool_calls !== undefined)?.tool_calls?.slice() ?? [];
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : "another call of the same turn was rejected";
}

type AfterModel = Hook | { readonly hook: Hook };
type Hook = (
  state: LangChainState,
  runtime: unknown,
) => Promise<{ readonly messages?: readonly LangChainMessage[] } | undefined>;

interface LangChainState {
  readonly messages: readonly LangChainMessage[];
}

interface LangChainMessage {
  readonly content: unknown;
  readonly tool_calls?: readonly LangChainCall[];
  readonly tool_call_id?: string;
}
