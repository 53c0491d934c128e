import { createTestRuntime, MemoryWorkspace, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type Approver, defineTool, s } from "../index.js";

const appending = (meanwhile: () => void = () => {}, approval: "auto" | "confirm" = "auto") =>
  defineTool({
    name: "append",
    summary: "Append to a file.",
    category: "write",
    permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
    approval,
    input: s.object({ path: s.path("File"), line: s.string("Line") }),
    output: s.object({}),
    run: async ({ path, line }, { workspace, warn }) => {
      const text = (await workspace.exists(path)) ? await workspace.readText(path) : "";
      warn("appending");
      await new Promise((resolve) => setImmediate(resolve));
      await workspace.writeText(path, `${text}${line}\n`);
      meanwhile();
      return {};
    },
  });

describe("concurrent writes", () => {
  it("200 appends at once in one runtime lose nothing and keep their order", async () => {
    const runtime = createTestRuntime({ tools: [appending()] });
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    const results = await Promise.all(lines.map((line) => runtime.call("append", { path: "log.txt", line })));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(await runtime.workspaceFiles()).toEqual({ "log.txt": `${lines.join("\n")}\n` });
  });

  it("a call without approval starts over if another program interferes", async () => {
    const workspace = new MemoryWorkspace({ "log.txt": "old\n" });
    let interferences = 0;
    const interfere = () => {
      if (interferences++ < 3) workspace.put("log.txt", `outside ${interferences}\n`);
    };
    const runtime = createTestRuntime({ tools: [appending(interfere)], workspace });
    const result = await runtime.call("append", { path: "log.txt", line: "mine" });
    expect(result).toMatchObject({ ok: true, warnings: ["appending"] });
    expect(await runtime.workspaceFiles()).toEqual({ "log.txt": "outside 3\nmine\n" });
    expect(runtime.events.filter(({ type }) => type === "started")).toHaveLength(1);
    expect(runtime.events.filter(({ type }) => type === "file-changed")).toHaveLength(1);
  });

  it("content that another program writes between reading and writing is not lost", async () => {
    const workspace = new MemoryWorkspace({ "log.txt": "old\n" });
    const read = workspace.readTextFile.bind(workspace);
    let interferences = 0;
    workspace.readTextFile = async (path) => {
      const file = await read(path);
      if (interferences++ < 2) workspace.put("log.txt", `${file.text}outside ${interferences}\n`);
      return file;
    };
    const runtime = createTestRuntime({ tools: [appending()], workspace });
    expect(await runtime.call("append", { path: "log.txt", line: "mine" })).toMatchObject({ ok: true });
    expect(await runtime.workspaceFiles()).toEqual({ "log.txt": "old\noutside 1\noutside 2\nmine\n" });
  });

  it("a file that is deleted before it is written is not created again", async () => {
    const workspace = new MemoryWorkspace({ "a.txt": "a" });
    const Touch = defineTool({
      name: "touch",
      summary: "Write if it is there.",
      category: "write",
      permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
      approval: "auto",
      input: s.object({}),
      output: s.object({}),
      run: async (_args, { workspace: given }) => {
        await given.readText("a.txt");
        workspace.drop("a.txt");
        await given.writeText("a.txt", "b");
        return {};
      },
    });
    const runtime = createTestRuntime({ tools: [Touch], workspace });
    expect(await runtime.call("touch")).toMatchObject({ error: { code: "STALE_FILE" } });
    expect(workspace.dump()).toEqual({});
  });

  it("applies also if a rule approves without showing; the rule decides the new plan", async () => {
    const workspace = new MemoryWorkspace({ "log.txt": "old\n" });
    const diffs: (string | undefined)[] = [];
    const approver: Approver = async ({ changes }) => {
      diffs.push(changes[0]?.diff);
      if (diffs.length < 3) workspace.put("log.txt", `outside ${diffs.length}\n`);
      return { approved: true, by: { how: "rule", who: "--approve all" } };
    };
    const runtime = createTestRuntime({ tools: [appending(undefined, "confirm")], workspace, approver });
    expect(await runtime.call("append", { path: "log.txt", line: "mine" })).toMatchObject({ ok: true });
    expect(await runtime.workspaceFiles()).toEqual({ "log.txt": "outside 2\nmine\n" });
    expect(diffs.map((diff) => /old|outside \d/.exec(diff ?? "")?.[0])).toEqual([
      "old",
      "outside 1",
      "outside 2",
    ]);
  });

  it("has a limit, and never applies after a person has approved", async () => {
    const workspace = new MemoryWorkspace({ "log.txt": "old\n" });
    let count = 0;
    const always = () => workspace.put("log.txt", `outside ${++count}\n`);
    const runtime = createTestRuntime({ tools: [appending(always)], workspace });
    expect(await runtime.call("append", { path: "log.txt", line: "x" })).toMatchObject({
      error: { code: "STALE_FILE" },
    });
    expect(count).toBe(100);
    const approver = scriptedApprover(() => {
      always();
      return true;
    });
    const asked = createTestRuntime({ tools: [appending(undefined, "confirm")], workspace, approver });
    expect(await asked.call("append", { path: "log.txt", line: "x" })).toMatchObject({
      error: { code: "STALE_FILE" },
    });
    expect(approver.requests).toHaveLength(1);
    expect(await asked.workspaceFiles()).toEqual({ "log.txt": "outside 101\n" });
  });

  it("many calls under one signal add one listener to it, and aborting cancels all of them", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    const Hang = defineTool({
      name: "hang",
      summary: "Hang.",
      category: "read",
      permissions: [],
      input: s.object({}),
      output: s.object({}),
      run: () => new Promise<never>(() => {}),
    });
    const runtime = createTestRuntime({ tools: [Hang] });
    const caller = new AbortController();
    const calls = Array.from({ length: 30 }, () => runtime.call("hang", {}, { signal: caller.signal }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    caller.abort();
    const codes = (await Promise.all(calls)).map((result) => (result.ok ? "" : result.error.code));
    expect(new Set(codes)).toEqual(new Set(["CANCELLED"]));
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  it("reports a disk failure unchanged", async () => {
    const workspace = new MemoryWorkspace();
    workspace.commit = async () => {
      throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
    };
    const runtime = createTestRuntime({ tools: [appending()], workspace });
    expect(await runtime.call("append", { path: "a", line: "x" })).toMatchObject({
      error: { code: "EXECUTION_ERROR", message: "no space left" },
    });
  });
});
