import { defineTool, s } from "@haft/core";
import { describe, expect, it } from "vitest";
import { ERROR_META_KEY } from "./call/call-result.js";
import { connected } from "./fixtures/connect.js";

describe.each(["legacy", "modern"] as const)("over the %s revision", (era) => {
  it("lists name, title, description, both schemas and annotations", async () => {
    const { client } = await connected({ era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["read_note", "write_note", "send", "slow", "picture"]);
    const [read, write, send] = tools;
    expect(read).toMatchObject({
      name: "read_note",
      title: "Read a note",
      description: "Read a note.\nWhole files only.",
      inputSchema: { type: "object", required: ["path"], additionalProperties: false },
      outputSchema: { type: "object", required: ["content"] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    expect(JSON.stringify(tools)).not.toContain("workspace-path");
    expect(write?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(send?.annotations).toMatchObject({ openWorldHint: true });
    expect(send).not.toHaveProperty("outputSchema");
  });

  it("answers a call with text and the structured value", async () => {
    const { client } = await connected({ era });
    const result = await client.callTool({ name: "read_note", arguments: { path: "a.txt" } });
    expect(result).toMatchObject({
      content: [{ type: "text", text: "old\n" }],
      structuredContent: { content: "old\n" },
    });
    expect(result.isError).toBeFalsy();
  });

  it("carries images and warnings", async () => {
    const { client } = await connected({ era });
    const { content } = await client.callTool({ name: "picture", arguments: {} });
    expect(content).toMatchObject([
      { type: "text", text: expect.stringContaining("Note: it is small") },
      { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
    ]);
  });

  it("answers a failing tool with isError, the text, and the error if the schema allows it", async () => {
    const { client } = await connected({ era });
    await client.listTools();
    const result = await client.callTool({ name: "read_note", arguments: { path: "none.txt" } });
    expect(result.isError).toBe(true);
    expect(result._meta?.[ERROR_META_KEY]).toMatchObject({
      code: "FILE_NOT_FOUND",
      message: expect.stringContaining("none.txt"),
    });
    expect(result).not.toHaveProperty("structuredContent");
    expect(result.content).toMatchObject([
      { type: "text", text: expect.stringMatching(/^FILE_NOT_FOUND: /) },
    ]);
  });

  it("ha-903 answers an unknown tool with the nearest names", async () => {
    const { client } = await connected({ era });
    const result = await client.callTool({ name: "read_notes", arguments: {} });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({
      error: { code: "TOOL_NOT_FOUND", hint: expect.stringContaining("read_note") },
    });
  });
});

describe("the connection", () => {
  it("introduces itself", async () => {
    const { client } = await connected({ options: { instructions: "Be careful." } });
    expect(client.getServerVersion()).toMatchObject({ name: "haft", version: "1.2.3" });
    expect(client.getInstructions()).toBe("Be careful.");
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true } });
  });

  it("announces added and removed tools", async () => {
    const { client, runtimes } = await connected();
    await client.listTools();
    const heard = new Promise<void>((resolve) => {
      client.setNotificationHandler("notifications/tools/list_changed", () => resolve());
    });
    runtimes[0]?.registry.register(
      defineTool({
        name: "late",
        summary: "Comes late.",
        category: "x-late",
        permissions: [],
        input: s.object({}),
        output: s.object({}),
        run: async () => ({}),
      }),
    );
    await heard;
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("late");
  });

  it("FU3 reports progress, increasing, and as plain text that is safe to show", async () => {
    const { client } = await connected();
    const heard: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
    await client.callTool(
      { name: "slow", arguments: { steps: 3 } },
      { onprogress: (progress) => heard.push(progress) },
    );
    expect(heard.map(({ progress }) => progress)).toEqual([1, 2, 3]);
    expect(heard[0]).toMatchObject({ total: 3, message: "step 1\\u202e" });
  });

  it("reports no progress without a token", async () => {
    const { client, written } = await connected();
    await client.callTool({ name: "slow", arguments: {} });
    expect(written.join()).not.toContain("notifications/progress");
  });

  it("cancels a call when the client cancels it", async () => {
    const { client, runtimes } = await connected();
    const cancelled = new AbortController();
    const call = client.callTool(
      { name: "slow", arguments: { steps: 1, forever: true } },
      { signal: cancelled.signal },
    );
    await expect.poll(() => runtimes[0]?.events.some(({ type }) => type === "progress")).toBe(true);
    cancelled.abort("enough");
    await expect(call).rejects.toThrow();
    await expect
      .poll(() => runtimes[0]?.events.find(({ type }) => type === "finished"))
      .toMatchObject({ result: { ok: false, error: { code: "CANCELLED" } } });
  });

  it("applies nothing in a dry run", async () => {
    const { client, runtimes } = await connected({ options: { dryRun: true, approve: "all" } });
    await client.callTool({ name: "write_note", arguments: { path: "a.txt", content: "new" } });
    expect(await runtimes[0]?.workspaceFiles()).toEqual({ "a.txt": "old\n" });
  });

  it("closes the runtime when the client leaves", async () => {
    const { client, service, runtimes } = await connected();
    await client.listTools();
    await client.close();
    await service.closed;
    const after = await runtimes[0]?.call("slow", { steps: 1, forever: true });
    expect(after).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
  });
});
