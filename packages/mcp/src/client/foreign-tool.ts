import { createHash } from "node:crypto";
import {
  type AnyToolClass,
  canonicalJson,
  s,
  ToolError,
  type ToolPermission,
  unannouncedTool,
} from "@haft/core";
import { renderForHuman, renderInline, untrusted } from "@haft/text";
import type { Client, Tool } from "@modelcontextprotocol/client";
import { type CallSetting, callForeignTool } from "./call-foreign-tool.js";
import { foreignSchema } from "./foreign-schema.js";
import { DEFAULT_MOUNT_TIMEOUT_MS, type McpServerAddress, type MountOptions } from "./mount-options.js";

/** One tool of another server, as a tool of ours. */
export interface ForeignTool {
  /** By which it is known here. */
  readonly name: string;
  /** Stands for the server and all it said about the tool: when that changes, it is another tool. */
  readonly revision: string;
  readonly toolClass: AnyToolClass;
}

interface Behind {
  readonly client: Client;
  readonly address: McpServerAddress;
  readonly options: MountOptions;
  /** Whether the server still says the same about the tool. */
  isCurrent(tool: ForeignTool): boolean;
}

/** Throws with a clause that says why it cannot be one. */
export function foreignTool(tool: Tool, { client, address, options, isCurrent }: Behind): ForeignTool {
  const { approval = "confirm", timeoutMs = DEFAULT_MOUNT_TIMEOUT_MS } = options;
  const revision = revisionOf(tool, options.name, address);
  const source = `mcp server ${options.name}`;
  const from = `${source}: ${tool.name}`;
  const proposed = typeof approval === "function" ? approval(tool) : approval;
  const definition = {
    name: nameOf(tool, options),
    revision,
    ...wordsOf(tool, source),
    category: `x-mcp-${slug(options.name).split("_").join("-")}` as const,
    permissions: permissionsOf(tool, options),
    approval: () =>
      proposed === "auto" ? ("auto" as const) : question(definition.name, options.name, revision),
    input: foreignSchema(tool.inputSchema),
    output: OUTPUT,
    errors: ["MCP_TOOL_ERROR", "MCP_TOOL_CHANGED", "MCP_SERVER_FAILED"],
    idempotent: false,
    timeoutMs,
    pack: source,
    render: ({ text }: { readonly text: string }) => untrusted(from, text),
  };
  const foreign: ForeignTool = {
    name: definition.name,
    revision,
    toolClass: unannouncedTool(definition as never, async (args: never, context: CallSetting) => {
      if (!isCurrent(foreign)) throw changed(definition.name, options.name);
      return callForeignTool({ client, tool, timeoutMs, source: from }, args, context);
    }),
  };
  return foreign;
}

const OUTPUT = s.object({ text: s.string("What the server answered, as text") });

/**
 * SECURITY: a call leaves this process, so none may pass for one that only reads or can be rehearsed: it would be sent
 * before anybody was asked, and in a dry run.
 */
function permissionsOf(tool: Tool, { permissions = [] }: MountOptions): readonly ToolPermission[] {
  const added = typeof permissions === "function" ? permissions(tool) : permissions;
  return [...new Set<ToolPermission>([...added, "NetworkAccess"])];
}

/** What was granted to one server's tool is granted to no other server that says the same about its own. */
function revisionOf(tool: Tool, server: string, address: McpServerAddress): string {
  const { env: _env, headers: _headers, ...place } = { env: {}, headers: {}, ...address };
  return createHash("sha256").update(canonicalJson({ server, place, tool })).digest("hex");
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
