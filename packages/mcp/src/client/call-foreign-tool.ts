import { messageOf, type Progress, ToolError } from "@haft/core";
import { renderInline, type ShapeRedactor, untrusted } from "@haft/text";
import type { CallToolResult, Client, Tool } from "@modelcontextprotocol/client";
import { foreignResult } from "./foreign-result.js";
import { CALL_RESULT } from "./wire-shapes.js";

interface CalledTool {
  readonly client: Client;
  readonly tool: Tool;
  readonly timeoutMs: number;
  /** The source named in the mark around untrusted text. */
  readonly source: string;
  readonly redact: ShapeRedactor;
}

/** The part of a tool's context that a call uses. */
export interface ForeignCallContext {
  readonly signal: AbortSignal;
  report(progress: Progress): void;
  attach(image: { readonly type: "image"; readonly mimeType: string; readonly data: string }): boolean;
  warn(message: string): void;
}

/** Calls a tool on another server and converts its response. */
export async function callForeignTool(
  called: CalledTool,
  args: Record<string, unknown>,
  context: ForeignCallContext,
): Promise<{ readonly text: string }> {
  const answer = await send(called, args, context);
  return foreignResult(answer, called, context);
}

interface ServerProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

async function send(
  { client, tool, timeoutMs, source, redact }: CalledTool,
  args: Record<string, unknown>,
  { signal, report }: ForeignCallContext,
): Promise<CallToolResult> {
  try {
    const params = { name: tool.name, arguments: args };
    const onprogress = ({ progress, total, message }: ServerProgress) =>
      report({
        message: renderInline(redact(message ?? tool.name)),
        done: progress,
        ...(total === undefined ? {} : { total }),
      });
    const options = { signal, timeout: timeoutMs, resetTimeoutOnProgress: false, onprogress };
    return await client.request({ method: "tools/call", params }, CALL_RESULT, options);
  } catch (cause) {
    signal.throwIfAborted();
    // The text may come from the server.
    const problem = untrusted(source, renderInline(redact(messageOf(cause)), { maxChars: 500 }));
    throw new ToolError("MCP_SERVER_FAILED", `The server did not answer:\n${problem}`, {
      hint: "The call may or may not have had an effect. Check before you try again.",
      cause,
    });
  }
}
