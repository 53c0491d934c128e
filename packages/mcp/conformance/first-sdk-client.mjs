// Run by clients.mjs in a folder where @modelcontextprotocol/sdk 1.x is installed: client.mjs HAFT URL WORKSPACE
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [, , haft, url, workspace] = process.argv;
const transports = {
  stdio: new StdioClientTransport({
    command: process.execPath,
    args: [haft, "mcp", "--workspace", workspace],
    env: { ...process.env },
  }),
  http: new StreamableHTTPClientTransport(new URL(url)),
};
for (const [name, transport] of Object.entries(transports)) {
  const client = new Client({ name: "first", version: "1" }, { capabilities: { elicitation: {} } });
  let asked = 0;
  client.setRequestHandler(ElicitRequestSchema, async () => {
    asked += 1;
    return { action: "accept", content: { approved: true } };
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const read = await client.callTool({ name: "read_file", arguments: { path: "a.txt" } });
  const content = `hello from ${name}\n`;
  const written = await client.callTool({ name: "write_file", arguments: { path: "a.txt", content } });
  if (
    tools.length < 10 ||
    !read.structuredContent.content.startsWith("hello") ||
    written.isError ||
    asked !== 1
  ) {
    throw new Error(`${name}: ${JSON.stringify({ tools: tools.length, read, written, asked })}`);
  }
  process.stdout.write(`SDK 1.x over ${name}: listed ${tools.length}, read, wrote what was approved\n`);
  await client.close();
}
