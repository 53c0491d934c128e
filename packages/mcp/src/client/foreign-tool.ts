import { createHash } from "node:crypto";
import {
  type AnyToolClass,
  canonicalJson,
  messageOf,
  type Progress,
  s,
  ToolError,
  unannouncedTool,
} from "@haft/core";
import { renderForHuman, renderInline, untrusted } from "@haft/text";
import type { CallToolResult, Client, Tool } from "@modelcontextprotocol/client";
import { foreignResult } from "./foreign-result.js";
import { foreignSchema } from "./foreign-schema.js";
import { DEFAULT_MOUNT_TIMEOUT_MS, type MountOptions } from "./mount-options.js";
import { CALL_RESULT } from "./wire-shapes.js";

/** One tool of another server, as a tool of ours. */
export interface ForeignTool {
  /** By which it is known here. */
  readonly name: string;
  /** Stands for all the server said about it: when that changes, it is another tool. */
  readonly revision: string;
  readonly toolClass: AnyToolClass;
}

interface Behind {
  readonly client: Client;
  readonly options: MountOptions;
  /** Whether the server still says the same about the tool. */
  isCurrent(tool: ForeignTool): boolean;
}

/** Throws with a clause that says why it cannot be one. */
export function foreignTool(tool: Tool, { client, options, isCurrent }: Behind): ForeignTool {
  const {
    permissions = ["NetworkAccess"],
    approval = "confirm",
    timeoutMs = DEFAULT_MOUNT_TIMEOUT_MS,
  } = options;
  const revision = createHash("sha256").update(canonicalJson(tool)).digest("hex");
  const source = `mcp server ${options.name}`;
  const proposed = typeof approval === "function" ? approval(tool) : approval;
  const definition = {
    name: nameOf(tool, options),
    revision,
    ...wordsOf(tool, source),
    category: `x-mcp-${slug(options.name).split("_").join("-")}` as const,
    permissions: typeof permissions === "function" ? permissions(tool) : permissions,
    approval: () =>
      proposed === "auto" ? ("auto" as const) : question(definition.name, options.name, revision),
    input: foreignSchema(tool.inputSchema),
    output: OUTPUT,
    errors: ["MCP_TOOL_ERROR", "MCP_TOOL_CHANGED", "MCP_SERVER_FAILED"],
    idempotent: false,
    timeoutMs,
    pack: source,
    render: ({ text }: { readonly text: string }) => untrusted(`${source}: ${tool.name}`, text),
  };
  const foreign: ForeignTool = {
    name: definition.name,
    revision,
    toolClass: unannouncedTool(definition as never, async (args: never, context: CallSetting) => {
      if (!isCurrent(foreign)) throw changed(definition.name, options.name);
      return foreignResult(await send({ client, tool, timeoutMs }, args, context), context);
    }),
  };
  return foreign;
}

export interface CallSetting {
  readonly signal: AbortSignal;
  report(progress: Progress): void;
  attach(image: { readonly type: "image"; readonly mimeType: string; readonly data: string }): boolean;
  warn(message: string): void;
}

const OUTPUT = s.object({ text: s.string("What the server answered, as text") });

async function send(
  { client, tool, timeoutMs }: { readonly client: Client; readonly tool: Tool; readonly timeoutMs: number },
  args: Record<string, unknown>,
  { signal, report }: CallSetting,
): Promise<CallToolResult> {
  try {
    const params = { name: tool.name, arguments: args };
    const onprogress = ({
      progress,
      total,
      message,
    }: {
      progress: number;
      total?: number | undefined;
      message?: string | undefined;
    }) =>
      report({
        message: renderInline(message ?? tool.name),
        done: progress,
        ...(total === undefined ? {} : { total }),
      });
    const options = { signal, timeout: timeoutMs, resetTimeoutOnProgress: false, onprogress };
    return await client.request({ method: "tools/call", params }, CALL_RESULT, options);
  } catch (cause) {
    signal.throwIfAborted();
    const problem = renderInline(messageOf(cause), { maxChars: 500 });
    throw new ToolError("MCP_SERVER_FAILED", `The server did not answer: ${problem}`, {
      hint: "Whether it did what it was asked to is unknown. Look before you try again.",
      cause,
    });
  }
}

/** In the one spelling that every model may use; what cannot be spelled so is refused when the tool is made. */
function nameOf(tool: Tool, { name, prefix = name }: MountOptions): string {
  return [prefix, tool.name].map(slug).filter(Boolean).join("_");
}

function slug(text: string): string {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, (_, before: string, after: string) => `${before}_${after}`)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
}

/** What the server says about the tool: shown, with nothing in it that acts, and not at any length. */
function wordsOf({ title, annotations, name, description = "" }: Tool, source: string) {
  const [first = "", ...more] = renderForHuman(description, { maxChars: 4_000 }).trim().split("\n");
  const guidance = more.join("\n").trim();
  return {
    title: renderInline(title ?? annotations?.title ?? name, { maxChars: 80 }),
    summary: `${renderInline(first || name, { maxChars: 300 })} (${source})`,
    ...(guidance === "" ? {} : { guidance }),
  };
}

function question(tool: string, server: string, revision: string) {
  return {
    confirm: `the server ${server} is another program, and nothing proves what it says about ${tool}`,
    subject: {
      name: revision,
      label: `${tool} may be called with any arguments, as long as ${server} describes it as now`,
    },
  };
}

function changed(tool: string, server: string): ToolError {
  return new ToolError("MCP_TOOL_CHANGED", `${server} has changed or removed ${tool} since it was offered`, {
    hint: "Nothing was sent. List the tools again: what changed has to be approved anew.",
  });
}
