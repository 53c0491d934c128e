import type { ToolRuntime } from "@haft/core";
import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { AgentMiddleware } from "langchain";
import { approvalsOf } from "./adapter-options.js";
import { interruptingMiddleware } from "./langchain-middleware.js";
import { type LangChainOptions, langChainTools } from "./langchain-tools.js";

/** The `createAgent` parameters that carry a runtime's tools and their approval. */
export interface LangChainAgentParts {
  readonly tools: DynamicStructuredTool[];
  readonly middleware: AgentMiddleware[];
}

/**
 * Returns tools and middleware for `createAgent` of LangChain 1. A call that needs approval interrupts the agent
 * through LangChain's human-in-the-loop middleware; resume it with `approve` or `reject`, also in another process. The
 * agent needs a checkpointer, and the runtime `decidable: true`.
 */
export function toLangChainAgent(runtime: ToolRuntime, options: LangChainOptions = {}): LangChainAgentParts {
  const approvals = approvalsOf(runtime, "LangChain", { askedBy: "library" });
  const tools = langChainTools(runtime, options, approvals);
  const names = tools.map(({ name }) => name);
  return { tools, middleware: approvals === undefined ? [] : [interruptingMiddleware(approvals, names)] };
}
