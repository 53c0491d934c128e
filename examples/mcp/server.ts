// A runtime as an MCP server on standard input and output. Only protocol messages may be printed there.
import { serveStdio } from "@haft/mcp";
import { createNodeRuntime } from "@haft/runtime-node";
import { ReadFile, WriteFile } from "@haft/tool-fs";

const [workspace = ".", stateDirectory = ".haft-state"] = process.argv.slice(2);
const service = serveStdio(
  ({ approver }) =>
    createNodeRuntime({
      workspace,
      stateDirectory,
      role: "editor",
      tools: [ReadFile, WriteFile],
      // The client asks its user. If the client cannot ask, calls that need approval are refused.
      ...(approver && { approver }),
    }),
  { version: "0.1.0" },
);
await service.closed;
