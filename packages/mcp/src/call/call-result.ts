import type { Content, ToolResult } from "@haft/core";
import type { CallToolResult } from "@modelcontextprotocol/server";

/** Where an error stands beside an output schema, which would forbid it in structuredContent. */
export const ERROR_META_KEY = "haft/error";

export interface ResultForm {
  /** Whether the tool is listed with an output schema; only asked about a failure. */
  hasOutputSchema(): boolean;
}

export function toCallToolResult(result: ToolResult, { hasOutputSchema }: ResultForm): CallToolResult {
  if (result.ok) {
    return {
      content: result.content.map(toBlock),
      ...(isObject(result.value) ? { structuredContent: result.value } : {}),
    };
  }
  return {
    isError: true,
    content: [{ type: "text", text: result.text }],
    _meta: { [ERROR_META_KEY]: result.error },
    ...(hasOutputSchema() ? {} : { structuredContent: { error: result.error } }),
  };
}

function toBlock(content: Content): CallToolResult["content"][number] {
  return { ...content };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
