import { type McpTool, toMcpTools } from "@haft/prompt-formatter";
import { createTestRuntime } from "@haft/testing";
import type { Tool } from "@modelcontextprotocol/client";
import { describe, expect, expectTypeOf, it } from "vitest";
import { connect } from "./fixtures/connect.js";
import { NOTE_TOOLS } from "./fixtures/note-tools.js";

describe("S3.REG listed tools have the official SDK's type", () => {
  it("according to its types", () => {
    expectTypeOf<McpTool>().toExtend<Tool>();
  });

  it("according to its client, which keeps every field", async () => {
    const { client, service } = await connect();
    const { tools } = await client.listTools();
    const runtime = createTestRuntime({ tools: NOTE_TOOLS });
    const expected = toMcpTools(runtime.tools()).map((tool) =>
      tool.annotations.readOnlyHint ? tool : { ...tool, execution: { taskSupport: "optional" } },
    );
    expect(tools).toEqual(JSON.parse(JSON.stringify(expected)));
    await client.close();
    await service.close?.();
  });
});
