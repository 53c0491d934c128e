import type { ToolRuntime } from "@haft/core";
import type { DynamicStructuredTool } from "@langchain/core/tools";
import { type LangChainOptions, langChainTools } from "./langchain-tools.js";

export type { LangChainOptions } from "./langchain-tools.js";

/** Converts a runtime's tools for LangChain. The runtime's approver asks while a tool runs. */
export function toLangChainTools(
  runtime: ToolRuntime,
  options: LangChainOptions = {},
): readonly DynamicStructuredTool[] {
  return langChainTools(runtime, options, undefined);
}
