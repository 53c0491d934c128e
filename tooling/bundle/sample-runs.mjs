import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Creates a small project to run the bundle on. */
export function fillWorkspace(folder) {
  mkdirSync(join(folder, "src"));
  mkdirSync(join(folder, ".git/info"), { recursive: true });
  writeFileSync(join(folder, ".git/info/exclude"), "*.swp\n");
  writeFileSync(join(folder, "a.txt"), "a\n");
  writeFileSync(join(folder, "src/b.ts"), `${"one\n".repeat(40)}two\n${"three\n".repeat(40)}`);
  writeFileSync(join(folder, ".gitignore"), "dist/\n*.log\n");
}

/** The first requests of an MCP client. Four answers follow. */
export const MCP_REQUESTS = [
  {
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "build", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 1, method: "tools/list" },
  { id: 2, method: "tools/call", params: { name: "read_file", arguments: { path: "a.txt" } } },
  { id: 3, method: "tools/call", params: { name: "grep", arguments: { pattern: "a" } } },
]
  .map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`)
  .join("");
