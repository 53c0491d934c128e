// A runtime as an MCP server on standard input and output. Nothing but protocol messages may be printed there.
import { serveStdio } from "@haft/mcp";
import { createNodeRuntime } from "@haft/runtime-node";
import "@haft/tool-fs";

const [workspace, stateDirectory] = process.argv.slice(2);
const service = serveStdio(
  ({ gate }) =>
    createNodeRuntime({
      workspace,
      stateDirectory,
      role: "editor",
      // A client that can put questions to its user is the approver; with another one such calls are refused.
      ...(gate && { approver: (request, signal) => gate.ask(request, signal) }),
    }),
  { version: "0.1.0" },
);
await service.closed;
