import type { CallToolResult, StandardSchemaV1, Tool } from "@modelcontextprotocol/client";
import { isRecord } from "../call/plain-call.js";

/** A page of tools. The SDK rejects a whole list for one invalid entry; here only that entry is skipped. */
interface ListedTools {
  readonly tools: readonly unknown[];
  readonly nextCursor: string | undefined;
}

export const LISTED_TOOLS = shape<ListedTools>(({ tools, nextCursor }) => {
  if (!Array.isArray(tools)) return "the list of tools is not an array";
  return { tools, nextCursor: typeof nextCursor === "string" ? nextCursor : undefined };
});

export const CALL_RESULT = shape<CallToolResult>((value) => {
  const { content = [], structuredContent, isError } = value;
  if (!Array.isArray(content)) return "the content of the response is not an array";
  return {
    content: content.filter(isRecord) as CallToolResult["content"],
    ...(structuredContent === undefined ? {} : { structuredContent: structuredContent as never }),
    isError: isError === true,
  };
});

/** Returns the entry as a tool, or the reason why it is not one. */
export function listedTool(value: unknown): Tool | string {
  if (!isRecord(value) || typeof value.name !== "string") return "it has no name";
  const { name, title, description, inputSchema, annotations } = value;
  return {
    name,
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(isRecord(annotations) ? { annotations } : {}),
    inputSchema: inputSchema as Tool["inputSchema"],
  };
}

function shape<T>(
  read: (value: Readonly<Record<string, unknown>>) => T | string,
): StandardSchemaV1<unknown, T> {
  const validate = (value: unknown) => {
    const result = isRecord(value) ? read(value) : "the response is not an object";
    return typeof result === "string" ? { issues: [{ message: result }] } : { value: result };
  };
  return { "~standard": { version: 1, vendor: "haft", validate } } as never;
}
