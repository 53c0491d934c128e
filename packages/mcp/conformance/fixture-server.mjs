// Serves the fixture tools over HTTP; its first line says where.
import { serveHttp } from "@haft/mcp/http";
import { createTestRuntime } from "@haft/testing";
import { FIXTURE_TOOLS } from "./fixture-tools.mjs";

const service = await serveHttp(
  async ({ approver }) =>
    createTestRuntime({ tools: FIXTURE_TOOLS, ...(approver && { approver }), files: { "a.txt": "a\n" } }),
  { port: Number(process.argv[2] ?? 0), version: "1.0.0", name: "haft-conformance" },
);
process.stdout.write(`${service.url}\n`);
process.once("SIGTERM", () => service.close());
