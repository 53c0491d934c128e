import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type ApprovalRequest, defineTool, redactStrings, s } from "../index.js";
import type { AskedCall } from "../policy.js";

const Put = defineTool({
  name: "put",
  summary: "Write a file.",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
  input: s.object({ path: s.path("File to write"), content: s.string("What to write") }),
  output: s.object({ path: s.string("The file") }),
  approval: "confirm",
  needsRead: true,
  run: async ({ path, content }, { workspace }) => {
    await workspace.writeText(path, content);
    return { path };
  },
});

describe("a call that is repeated after its process has ended", () => {
  it("the approver gets the call itself beside the redacted request", async () => {
    const asked: { request: ApprovalRequest; call: AskedCall }[] = [];
    const runtime = createTestRuntime({
      tools: [Put],
      redact: redactStrings((text) => text.replaceAll("hunter2", "[secret]")),
      approver: Object.assign(async () => ({ approved: false }), {
        prepare: async (request: ApprovalRequest, call: AskedCall) => {
          asked.push({ request, call });
          return request;
        },
      }),
    });
    await runtime.call("put", { path: "a", content: "hunter2" });
    expect(asked).toMatchObject([
      {
        request: { args: { content: "[secret]" } },
        call: { tool: "put", args: { path: "a", content: "hunter2" } },
      },
    ]);
  });

  it("arguments may be changed if the host's redaction copies them and hides nothing", async () => {
    const runtime = createTestRuntime({
      tools: [Put],
      redact: (value) => structuredClone(value),
      approver: async () => ({ approved: true, modifiedArgs: { path: "b", content: "changed" } }),
    });
    expect(await runtime.call("put", { path: "a", content: "new" })).toMatchObject({ value: { path: "b" } });
  });

  it("files that its caller had seen before count as seen, with exactly those bytes", async () => {
    const files = { "a.txt": "old" };
    const runtime = createTestRuntime({
      tools: [Put],
      files,
      readBeforeWrite: "enforce",
      approver: async () => ({ approved: true }),
    });
    const args = { path: "a.txt", content: "new" };
    const hash = runtime.workspace.hash(new TextEncoder().encode("old"));
    expect(await runtime.call("put", args)).toMatchObject({ error: { code: "FILE_NOT_READ" } });
    expect(
      await runtime.call("put", args, { alreadySeen: [{ path: "a.txt", hash: "of other bytes" }] }),
    ).toMatchObject({ error: { code: "STALE_FILE" } });
    expect(await runtime.call("put", args, { alreadySeen: [{ path: "a.txt", hash }] })).toMatchObject({
      ok: true,
    });
  });
});
