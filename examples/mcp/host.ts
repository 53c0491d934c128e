import { mountMcpServer } from "@haft/mcp/client";
import { type Approver, createNodeRuntime, type NodeRuntime } from "@haft/runtime-node";

/**
 * Creates a runtime whose tools come from another MCP server. They ask before each call, and their answers are marked
 * as untrusted.
 */
export async function hostServer(
  server: { readonly command: string; readonly args: readonly string[] },
  workspace: string,
  approver: Approver,
): Promise<NodeRuntime> {
  const runtime = await createNodeRuntime({ workspace, role: "researcher", tools: [], approver });
  const mounted = await mountMcpServer(
    { command: server.command, args: [...server.args] },
    { name: "notes" },
  );
  mounted.attach(runtime);
  return runtime;
}
