import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, s } from "../index.js";

const WriteFile = defineTool({
  name: "write_file",
  summary: "Write a file.",
  category: "write",
  permissions: ["WriteFiles", "CreateFiles"],
  approval: ({ changes }) => (changes.every(({ kind }) => kind === "create") ? "auto" : "confirm"),
  input: s.object({
    path: s.path("File"),
    content: s.string("Text"),
    preview_only: s.boolean("Only show", { default: false }),
  }),
  output: s.object({ rehearsing: s.boolean("Whether it was a rehearsal") }),
  previewOnly: ({ preview_only }) => preview_only,
  run: async ({ path, content }, { workspace, rehearsing }) => {
    await workspace.writeText(path, content);
    return { rehearsing };
  },
});

const DeleteFile = defineTool({
  name: "delete_file",
  summary: "Delete a file.",
  category: "manage",
  permissions: ["DeleteFiles"],
  approval: "confirm",
  input: s.object({ path: s.path("File") }),
  output: s.object({}),
  run: async ({ path }, { workspace }) => {
    await workspace.remove(path, { recursive: true });
    return {};
  },
});

const Command = defineTool({
  name: "command",
  summary: "Run something.",
  category: "execute",
  permissions: ["ExecuteCommands"],
  approval: "confirm",
  input: s.object({}),
  output: s.object({}),
  run: async (_args, { processes, signal }) => {
    await processes.run({ argv: ["true"] }, signal);
    return {};
  },
});

const Download = defineTool({
  name: "download",
  summary: "Fetch into a file.",
  category: "web",
  permissions: ["NetworkAccess", "CreateFiles"],
  approval: "confirm",
  input: s.object({ path: s.path("File") }),
  output: s.object({}),
  run: async ({ path }, { workspace, network, signal }) => {
    const { body } = await network.fetch({ url: "http://x/" }, signal);
    await workspace.createBytes(path, body);
    return {};
  },
});

const files = { "a.txt": "old\n" };
const open = (answer: Parameters<typeof scriptedApprover>[0] = false, more: object = {}) => {
  const approver = scriptedApprover(answer);
  const tools = [WriteFile, DeleteFile, Command, Download];
  return { approver, runtime: createTestRuntime({ tools, files, approver, ...more }) };
};
const write = { path: "a.txt", content: "new\n" };

describe("rehearse, show, ask, apply", () => {
  it("S3.DYN creates a new file without a prompt, and prompts for an overwrite", async () => {
    const { runtime, approver } = open(true);
    expect(await runtime.call("write_file", { path: "new.txt", content: "x" })).toMatchObject({
      ok: true,
      value: { rehearsing: true },
      changes: [{ kind: "create", path: "new.txt" }],
    });
    expect(approver.requests).toEqual([]);
    await runtime.call("write_file", write);
    expect(approver.requests).toHaveLength(1);
    expect(await runtime.workspaceFiles()).toEqual({ "a.txt": "new\n", "new.txt": "x" });
  });

  it("S1.Q4 a dry run never prompts, writes nothing and shows the diff", async () => {
    const { runtime, approver } = open();
    for (const [name, args] of [
      ["write_file", write],
      ["delete_file", { path: "a.txt" }],
    ] as const) {
      const result = await runtime.call(name, args, { dryRun: true });
      expect(result).toMatchObject({ ok: true, preview: true, changes: [{ path: "a.txt" }] });
      expect(result.ok && result.changes[0]?.diff).toContain("-old");
    }
    expect(approver.requests).toEqual([]);
    expect(runtime.workspace.commits).toEqual([]);
    expect(await runtime.workspaceFiles()).toEqual(files);
  });

  it("S0.REPL.3 preview_only is a dry run that the model requests", async () => {
    const { runtime, approver } = open();
    expect(await runtime.call("write_file", { ...write, preview_only: true })).toMatchObject({
      ok: true,
      preview: true,
    });
    expect(approver.requests).toEqual([]);
    expect(await runtime.workspaceFiles()).toEqual(files);
  });

  it("S0.REPL.4 a call without effect never prompts, under any policy", async () => {
    for (const policy of [undefined, () => ({ effect: "ask", because: "everything" }) as const]) {
      const { runtime, approver } = open(false, policy && { policy });
      expect(await runtime.call("write_file", { ...write, content: "old\n" })).toMatchObject({
        ok: true,
        changes: [],
      });
      expect(approver.requests).toEqual([]);
      expect(runtime.workspace.commits).toEqual([]);
    }
  });

  it("S3.DEL deleting always asks", async () => {
    const { runtime, approver } = open([true]);
    expect(await runtime.call("delete_file", { path: "a.txt" })).toMatchObject({ ok: true });
    expect(approver.requests[0]).toMatchObject({
      risk: "high",
      changes: [{ kind: "delete", path: "a.txt" }],
    });
    expect(await runtime.workspaceFiles()).toEqual({});
  });

  it("a call that fails in its rehearsal does not prompt", async () => {
    const { runtime, approver } = open(true);
    expect(await runtime.call("delete_file", { path: "none" })).toMatchObject({
      error: { code: "FILE_NOT_FOUND" },
    });
    expect(await runtime.call("write_file", { ...write, path: "../x" })).toMatchObject({
      error: { code: "INVALID_PATH" },
    });
    expect(approver.requests).toEqual([]);
  });

  it("S1.N1 a protected path prompts even if the tool proposes otherwise", async () => {
    const { runtime, approver } = open(false, {
      guards: { protected: (path: string) => path.startsWith(".git/") },
    });
    expect(await runtime.call("write_file", { path: ".git/hooks/x", content: "x" })).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(approver.requests[0]?.risk).toBe("high");
    expect(approver.requests[0]?.reason).toContain("can run as code later");
  });

  it("the commit names the call", async () => {
    const { runtime } = open(true);
    await runtime.call("write_file", write, { callId: "call-7" });
    expect(runtime.workspace.commits).toEqual([{ callId: "call-7", tool: "write_file" }]);
  });

  it("too much content at once is FILE_TOO_LARGE, and nothing is written", async () => {
    const { runtime } = open(true, { limits: { maxHeldBytes: 10 } });
    expect(await runtime.call("write_file", { path: "b.txt", content: "x".repeat(11) })).toMatchObject({
      error: { code: "FILE_TOO_LARGE" },
    });
    expect(await runtime.workspaceFiles()).toEqual(files);
  });
});

describe("a tool without rehearsal", () => {
  const processes = { run: async () => ({}) as never };
  const network = { fetch: async () => ({ body: new TextEncoder().encode("got") }) as never };

  it("does not support dry runs, and a dry run does not prompt", async () => {
    const { runtime, approver } = open(true, { processes, network });
    for (const name of ["command", "download"])
      expect(
        await runtime.call(name, name === "command" ? {} : { path: "x" }, { dryRun: true }),
      ).toMatchObject({
        error: { code: "INVALID_ARGUMENTS" },
      });
    expect(approver.requests).toEqual([]);
  });

  it("is approved by its arguments, and again for its file changes", async () => {
    const { runtime, approver } = open(true, { processes, network });
    expect(await runtime.call("command")).toMatchObject({ ok: true });
    expect(await runtime.call("download", { path: "got.txt" })).toMatchObject({ ok: true });
    expect(approver.requests.map(({ tool, changes }) => [tool, changes.length])).toEqual([
      ["command", 0],
      ["download", 0],
      ["download", 1],
    ]);
    expect(await runtime.workspaceFiles()).toEqual({ ...files, "got.txt": "got" });
  });

  it("writes nothing if its files are not approved, or its arguments are changed too late", async () => {
    const denied = open([true, false], { network });
    expect(await denied.runtime.call("download", { path: "got.txt" })).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    const changed = open([true, { approved: true, modifiedArgs: { path: "other" } }], { network });
    expect(await changed.runtime.call("download", { path: "got.txt" })).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    for (const { runtime } of [denied, changed]) expect(await runtime.workspaceFiles()).toEqual(files);
  });

  it("reports a host without the required capability", async () => {
    const { runtime } = open(true);
    const result = await runtime.call("command");
    expect(result).toMatchObject({ error: { code: "EXECUTION_ERROR" } });
    expect(result.text).toContain("This runtime has no processes");
  });

  it("is not treated as harmless because its dangerous permission is optional", async () => {
    const ran: string[] = [];
    const Sneaky = defineTool({
      name: "sneaky",
      summary: "Read, and run what it can.",
      category: "read",
      permissions: ["ReadFiles"],
      alsoUses: ["ExecuteCommands"],
      input: s.object({}),
      output: s.object({}),
      run: async (_args, { processes, signal }) => {
        await processes.run({ argv: ["true"] }, signal);
        return {};
      },
    });
    const runner = { run: async () => ran.push("ran") as never, open: async () => ran.push("ran") as never };
    const { runtime, approver } = open(false, { tools: [Sneaky], processes: runner });
    expect(await runtime.call("sneaky", {}, { dryRun: true })).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
    expect(await runtime.call("sneaky")).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(approver.requests).toHaveLength(1);
    const reader = createTestRuntime({
      tools: [Sneaky],
      processes: runner,
      approver: scriptedApprover(true),
      role: { name: "reader", permissions: ["ReadFiles"] },
    });
    expect(await reader.call("sneaky")).toMatchObject({
      error: { code: "PERMISSION_DENIED", details: { missing: ["ExecuteCommands"] } },
    });
    expect(ran).toEqual([]);
  });
});
