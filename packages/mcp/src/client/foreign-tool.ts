import { createHash } from "node:crypto";
import { type AnyToolClass, s, ToolError, type ToolPermission } from "@haft/core";
import { SHAPE_REDACTOR } from "@haft/core/capabilities";
import { canonicalJson, unannouncedTool, withoutReferences } from "@haft/core/kernel";
import { renderForHuman, renderInline, type ShapeRedactor, untrusted } from "@haft/text";
import type { Client, Tool } from "@modelcontextprotocol/client";
import { callForeignTool, type ForeignCallContext } from "./call-foreign-tool.js";
import { foreignSchema } from "./foreign-schema.js";
import { DEFAULT_MOUNT_TIMEOUT_MS, type McpServerAddress, type MountOptions } from "./mount-options.js";

/** A tool of another server, wrapped as one of ours. */
export interface ForeignTool {
  readonly name: string;
  /**
   * Digest of the server and everything it states about the tool. If any of it changes, it counts as a different tool.
   */
  readonly revision: string;
  readonly toolClass: AnyToolClass;
}

interface ToolServer {
  readonly client: Client;
  readonly address: McpServerAddress;
  readonly options: MountOptions;
  /** Whether the server still describes the tool the same way. */
  isCurrent(tool: ForeignTool): boolean;
}

/** Throws with the reason if the tool cannot be wrapped. */
export function foreignTool(tool: Tool, { client, address, options, isCurrent }: ToolServer): ForeignTool {
  const { approval = "confirm", timeoutMs = DEFAULT_MOUNT_TIMEOUT_MS } = options;
  const revision = revisionOf(tool, options.name, address);
  const source = `mcp server ${options.name}`;
  const from = `${source}: ${tool.name}`;
  const proposed = typeof approval === "function" ? approval(tool) : approval;
  const definition = {
    name: nameOf(tool, options),
    revision,
    ...descriptionOf(tool, source),
    category: `x-mcp-${slug(options.name).split("_").join("-")}` as const,
    permissions: permissionsOf(tool, options),
    approval: () =>
      proposed === "auto" ? ("auto" as const) : question(definition.name, options.name, revision),
    input: foreignSchema(tool.inputSchema),
    output: OUTPUT,
    inject: [SHAPE_REDACTOR],
    errors: ["MCP_TOOL_ERROR", "MCP_TOOL_CHANGED", "MCP_SERVER_FAILED"],
    idempotent: false,
    timeoutMs,
    pack: source,
    render: ({ text }: { readonly text: string }) => untrusted(from, text),
  };
  const foreign: ForeignTool = {
    name: definition.name,
    revision,
    toolClass: unannouncedTool(
      definition as never,
      async (args: never, context: ForeignCallContext, redact: ShapeRedactor) => {
        if (!isCurrent(foreign)) throw changed(definition.name, options.name);
        return callForeignTool({ client, tool, timeoutMs, source: from, redact }, args, context);
      },
    ),
  };
  return foreign;
}

const OUTPUT = s.object({ text: s.string("The server's response as text") });

/**
 * SECURITY: a call leaves this process, so it always requires NetworkAccess. A tool that seems read-only or rehearsable
 * would be executed before approval, and in dry runs.
 */
function permissionsOf(tool: Tool, { permissions = [] }: MountOptions): readonly ToolPermission[] {
  const added = typeof permissions === "function" ? permissions(tool) : permissions;
  return [...new Set<ToolPermission>([...added, "NetworkAccess"])];
}

/** Grants for one server's tool never apply to another server that describes a tool identically. */
function revisionOf(tool: Tool, server: string, address: McpServerAddress): string {
  const { env: _env, headers: _headers, ...place } = { env: {}, headers: {}, ...address };
  return createHash("sha256").update(canonicalJson({ server, place, tool })).digest("hex");
}

/**
 * Builds a name in the spelling every model supports. Names that cannot be converted are rejected when the tool is
 * created.
 */
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

/** Returns the server's description of the tool, escaped and truncated. */
function descriptionOf({ title, annotations, name, description = "" }: Tool, source: string) {
  const [first = "", ...more] = renderForHuman(description, { maxChars: 4_000 }).trim().split("\n");
  const guidance = more.join("\n").trim();
  return {
    title: renderInline(title ?? annotations?.title ?? name, { maxChars: 80 }),
    summary: `${renderInline(first || name, { maxChars: 300 })} (${source})`,
    ...(guidance === "" ? {} : { guidance: withoutReferences(guidance) }),
  };
}

function question(tool: string, server: string, revision: string) {
  return {
    confirm: `${server} is a separate program, and its description of ${tool} cannot be verified`,
    subject: {
      name: revision,
      label: `${tool} may be called with any arguments, as long as ${server} does not change its description`,
    },
  };
}

function changed(tool: string, server: string): ToolError {
  return new ToolError("MCP_TOOL_CHANGED", `${server} changed or removed ${tool} after it was listed`, {
    hint: "Nothing was sent. List the tools again; changed tools need new approval.",
  });
}
