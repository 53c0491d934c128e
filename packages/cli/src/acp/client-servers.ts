import type { McpServer } from "@agentclientprotocol/sdk";
import type { HaftConfig } from "@haft/runtime-node";

type Servers = NonNullable<HaftConfig["mcpServers"]>;

/** Converts the MCP servers an editor passes into configuration entries. Skips SSE, which is deprecated. */
export function clientServers(servers: readonly McpServer[]): Servers {
  return Object.fromEntries(
    servers.flatMap((server) => {
      const config = configOf(server);
      return config === undefined ? [] : [[server.name.replaceAll(/[^A-Za-z0-9_-]+/g, "_"), config]];
    }),
  );
}

function configOf(server: McpServer): Servers[string] | undefined {
  if (!("type" in server)) {
    const { command, args, env } = server;
    return { command, args, env: Object.fromEntries(env.map(({ name, value }) => [name, value])) };
  }
  if (server.type !== "http") return undefined;
  return {
    url: server.url,
    headers: Object.fromEntries(server.headers.map(({ name, value }) => [name, value])),
  };
}
