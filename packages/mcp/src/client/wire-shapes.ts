import type { CallToolResult, StandardSchemaV1, Tool } from "@modelcontextprotocol/client";

/** What a server lists. The SDK would refuse a list for one entry that is wrong; here only that entry is left out. */
export interface ListedTools {
  readonly tools: readonly unknown[];
  readonly nextCursor: string | undefined;
}

export const LISTED_TOOLS = shape<ListedTools>(({ tools, nextCursor }) => {
  if (!Array.isArray(tools)) return "the list of tools is no list";
  return { tools, nextCursor: typeof nextCursor === "string" ? nextCursor : undefined };
});

export const CALL_RESULT = shape<CallToolResult>((value) => {
  const { content = [], structuredContent, isError } = value;
  if (!Array.isArray(content)) return "the content of the answer is no list";
  return {
    content: content.filter(isRecord) as CallToolResult["content"],
    ...(structuredContent === undefined ? {} : { structuredContent: structuredContent as never }),
    isError: isError === true,
  };
});

/** An entry of the list as a tool, or why it is none. */
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
    const result = isRecord(value) ? read(value) : "the answer is no object";
    return typeof result === "string" ? { issues: [{ message: result }] } : { value: result };
  };
  return { "~standard": { version: 1, vendor: "haft", validate } } as never;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
