// The search of a public MCP server, @modelcontextprotocol/server-filesystem. It cannot search file contents:
// its search_files finds names by a glob, without ignore rules, so it is compared with our glob only.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export async function openMcpServer(root) {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve("@modelcontextprotocol/server-filesystem/package.json");
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(dirname(manifest), "dist/index.js"), root],
      stderr: "ignore",
    }),
  );
  return {
    findNames: async (pattern) => {
      const excludePatterns = ["**/node_modules/**", "**/.git/**"];
      const { content } = await client.callTool({
        name: "search_files",
        arguments: { path: root, pattern, excludePatterns },
      });
      return content[0].text.split("\n").length;
    },
    close: () => client.close(),
  };
}
