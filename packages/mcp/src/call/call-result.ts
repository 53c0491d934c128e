import type { Content, ToolResult } from "@haft/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { isRecord } from "./plain-call.js";

/** Carries errors of tools with an output schema, which forbids them in structuredContent. */
export const ERROR_META_KEY = "haft/error";

interface ResultForm {
  /** False for clients that receive only text and images. */
  readonly isStructured: boolean;
  /** Whether the tool has an output schema. Called for failures only. */
  hasOutputSchema(): boolean;
}

export function toCallToolResult(
  result: ToolResult,
  { hasOutputSchema, isStructured }: ResultForm,
): CallToolResult {
  if (result.ok) {
    return {
      content: result.content.map(toBlock),
      ...(isStructured && isRecord(result.value) ? { structuredContent: result.value } : {}),
    };
  }
  return {
    isError: true,
    content: [{ type: "text", text: result.text }],
    _meta: { [ERROR_META_KEY]: result.error },
    ...(!isStructured || hasOutputSchema() ? {} : { structuredContent: { error: result.error } }),
  };
}

function toBlock(content: Content): CallToolResult["content"][number] {
  return { ...content };
}
