import { messageOf, type Progress, ToolError } from "@haft/core";
import { renderInline, untrusted } from "@haft/text";
import type { CallToolResult, Client, Tool } from "@modelcontextprotocol/client";
import { foreignResult } from "./foreign-result.js";
import { CALL_RESULT } from "./wire-shapes.js";

export interface CalledTool {
  readonly client: Client;
  readonly tool: Tool;
  readonly timeoutMs: number;
  /** Whose words the answer is, for the mark around them. */
  readonly source: string;
}

/** What a call may use of its context. */
export interface CallSetting {
  readonly signal: AbortSignal;
  report(progress: Progress): void;
  attach(image: { readonly type: "image"; readonly mimeType: string; readonly data: string }): boolean;
  warn(message: string): void;
}

/** Sends one call to another server and makes a result of what it answers. */
export async function callForeignTool(
  called: CalledTool,
  args: Record<string, unknown>,
  context: CallSetting,
): Promise<{ readonly text: string }> {
  const answer = await send(called, args, context);
  return foreignResult(answer, called.source, context);
}

interface ServerProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

async function send(
  { client, tool, timeoutMs, source }: CalledTool,
  args: Record<string, unknown>,
  { signal, report }: CallSetting,
): Promise<CallToolResult> {
  try {
    const params = { name: tool.name, arguments: args };
    const onprogress = ({ progress, total, message }: ServerProgress) =>
      report({
        message: renderInline(message ?? tool.name),
        done: progress,
        ...(total === undefined ? {} : { total }),
      });
    const options = { signal, timeout: timeoutMs, resetTimeoutOnProgress: false, onprogress };
    return await client.request({ method: "tools/call", params }, CALL_RESULT, options);
  } catch (cause) {
    signal.throwIfAborted();
    // The server may have worded it.
    const problem = untrusted(source, renderInline(messageOf(cause), { maxChars: 500 }));
    throw new ToolError("MCP_SERVER_FAILED", `The server did not answer:\n${problem}`, {
      hint: "Whether it did what it was asked to is unknown. Look before you try again.",
      cause,
    });
  }
}
