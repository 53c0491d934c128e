import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type DialectName, defineTool, redactStrings, s, type Workspace } from "../index.js";
import type { ReadBeforeWrite } from "../kernel.js";

const Read = defineTool({
  name: "read_file",
  summary: "Read.",
  category: "read",
  permissions: ["ReadFiles"],
  input: s.object({ path: s.path("File") }),
  output: s.object({ path: s.string("File"), text: s.string("Text"), hash: s.string("Hash") }),
  showsFiles: ({ path, hash }) => [{ path, hash }],
  run: async ({ path }, { workspace }) => {
    const { text, hash } = await workspace.readTextFile(path);
    return { path, text, hash };
  },
});

type Step = readonly [keyof Workspace, ...unknown[]];

const scripting = (name: string, needsRead: boolean | ((args: { proof: boolean }) => boolean)) =>
  defineTool({
    name,
    summary: "Do steps.",
    category: "write",
    permissions: ["ReadFiles", "WriteFiles", "CreateFiles", "DeleteFiles"],
    approval: "auto",
    needsRead,
    input: s.object({
      steps: s.array("Steps", s.json("Step")),
      proof: s.boolean("Proof", { default: false }),
    }),
    output: s.object({}),
    run: async ({ steps }, { workspace }) => {
      for (const [method, ...args] of steps as Step[])
        await (workspace as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[method]?.(
          ...args,
        );
      return {};
    },
  });

const Update = scripting("update", ({ proof }) => !proof);
const Edit = scripting("edit", false);

function open(readBeforeWrite: ReadBeforeWrite, more: { dialect?: DialectName; answer?: boolean } = {}) {
  const approver = scriptedApprover(more.answer ?? false);
  const runtime = createTestRuntime({
    tools: [Read, Update, Edit],
    files: { "a.txt": "a", "b.txt": "b", "d/c.txt": "c" },
    approver,
    readBeforeWrite,
    ...(more.dialect && { dialect: more.dialect }),
  });
  const update = (...steps: Step[]) => runtime.call("update", { steps });
  const read = (path: string) => runtime.call("read_file", { path });
  return { runtime, approver, update, read };
}

const WRITE: Step = ["writeText", "a.txt", "new"];

describe("R13 S2.WRITE.7 read before write", () => {
  it("enforce: refuses to overwrite an unread file, and suggests the call that reads it", async () => {
    const { runtime, update, read, approver } = open("enforce");
    const result = await update(WRITE);
    expect(result).toMatchObject({
      ok: false,
      error: { code: "FILE_NOT_READ", next: { tool: "read_file", args: { path: "a.txt" } } },
    });
    expect(await runtime.workspaceFiles()).toMatchObject({ "a.txt": "a" });
    await read("./a.txt");
    expect(await update(WRITE)).toMatchObject({ ok: true });
    expect(approver.requests).toEqual([]);
  });

  it("enforce: refuses to overwrite a file that changed since it was read", async () => {
    const { runtime, update, read } = open("enforce");
    await read("a.txt");
    runtime.workspace.put("a.txt", "somebody else's");
    expect(await update(WRITE)).toMatchObject({ ok: false, error: { code: "STALE_FILE" } });
    expect(await runtime.workspaceFiles()).toMatchObject({ "a.txt": "somebody else's" });
  });

  it("approve: a person may allow it", async () => {
    const yes = open("approve", { answer: true });
    expect(await yes.update(WRITE)).toMatchObject({ ok: true });
    expect(yes.approver.requests[0]?.reason).toContain("was not read in this session");
    expect(await open("approve").update(WRITE)).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
  });

  it("off: no read is required", async () => {
    expect(await open("off").update(WRITE)).toMatchObject({ ok: true });
  });

  it("new files, other tools, and calls that prove they know the content need no read", async () => {
    const { runtime, update } = open("enforce");
    expect(await update(["writeText", "new.txt", "x"])).toMatchObject({ ok: true });
    expect(await runtime.call("edit", { steps: [WRITE] })).toMatchObject({ ok: true });
    expect(await runtime.call("update", { steps: [["writeText", "b.txt", "2"]], proof: true })).toMatchObject(
      { ok: true },
    );
  });

  it("a call's own writes update the baseline, also of created and moved files", async () => {
    const { update, read } = open("enforce");
    await read("a.txt");
    for (const content of ["1", "2", "3"])
      expect((await update(["writeText", "a.txt", content])).ok).toBe(true);
    expect((await update(["createText", "n.txt", "1"])).ok).toBe(true);
    expect((await update(["writeText", "n.txt", "2"])).ok).toBe(true);
    expect((await update(["move", "a.txt", "m.txt"])).ok).toBe(true);
    expect((await update(["writeText", "m.txt", "4"])).ok).toBe(true);
    await read("d/c.txt");
    expect((await update(["move", "d", "e"])).ok).toBe(true);
    expect((await update(["writeText", "e/c.txt", "5"])).ok).toBe(true);
  });

  it("a call that changes one file several times is judged by the original content", async () => {
    const { update, read } = open("enforce");
    await read("a.txt");
    await read("b.txt");
    const twice: Step[] = [WRITE, ["writeText", "b.txt", "new"], ["writeText", "a.txt", "newer"]];
    expect(await update(...twice)).toMatchObject({ ok: true });
    const made: Step[] = [
      ["createText", "n.txt", "1"],
      ["writeText", "a.txt", "x"],
      ["writeText", "n.txt", "2"],
    ];
    expect(await update(...made)).toMatchObject({ ok: true });
  });

  it("deleting and recreating a file counts as overwriting it", async () => {
    const { update, read } = open("enforce");
    const again: Step[] = [
      ["remove", "a.txt"],
      ["createText", "a.txt", "new"],
    ];
    expect(await update(...again)).toMatchObject({ error: { code: "FILE_NOT_READ" } });
    expect(await update(["remove", "b.txt"])).toMatchObject({ ok: true });
    await read("a.txt");
    expect(await update(...again)).toMatchObject({ ok: true });
  });

  it("a file that was deleted or overwritten by a move no longer counts as read", async () => {
    const { runtime, update, read } = open("enforce");
    await read("b.txt");
    expect((await update(["remove", "b.txt"])).ok).toBe(true);
    runtime.workspace.put("b.txt", "b");
    expect(await update(["writeText", "b.txt", "x"])).toMatchObject({ error: { code: "FILE_NOT_READ" } });
    await read("b.txt");
    expect((await update(["move", "a.txt", "b.txt", { overwrite: true }])).ok).toBe(true);
    expect(await update(["writeText", "b.txt", "x"])).toMatchObject({ error: { code: "FILE_NOT_READ" } });
  });

  it("redacted reads and previews do not count", async () => {
    const runtime = createTestRuntime({
      tools: [Read, Update],
      files: { "a.txt": "hunter2", "b.txt": "b" },
      readBeforeWrite: "enforce",
      redact: redactStrings((text) => text.replaceAll("hunter2", "[secret]")),
    });
    await runtime.call("read_file", { path: "a.txt" });
    const result = await runtime.call("update", { steps: [["writeText", "a.txt", "[secret]"]] });
    expect(result).toMatchObject({ error: { code: "FILE_NOT_READ" } });
    expect(await runtime.call("read_file", { path: "b.txt" }, { dryRun: true })).toMatchObject({ ok: true });
    expect(await runtime.call("update", { steps: [["writeText", "b.txt", "x"]] })).toMatchObject({
      ok: true,
    });
  });

  it("the claude dialect enforces it for every tool that changes files", async () => {
    const { runtime } = open("enforce", { dialect: "claude" });
    const result = await runtime.call("edit", { steps: [WRITE] });
    expect(result).toMatchObject({
      error: { code: "FILE_NOT_READ", next: { tool: "read_file", args: { path: "/workspace/a.txt" } } },
    });
    await runtime.call("read_file", { path: "/workspace/a.txt" });
    expect(await runtime.call("edit", { steps: [WRITE] })).toMatchObject({ ok: true });
  });

  it("files that the caller read before this runtime was created count", async () => {
    const { runtime } = open("enforce");
    const hash = await runtime.workspace.hashOf("a.txt");
    const options = { alreadySeen: [{ path: "a.txt", hash }] };
    expect(await runtime.call("update", { steps: [WRITE] }, options)).toMatchObject({ ok: true });
  });

  it("the files read in one session can be passed to the next one", async () => {
    const first = open("enforce");
    await first.read("a.txt");
    await first.update(["createText", "new.txt", "mine"]);
    const seen = first.runtime.seen();
    expect(seen.map(({ path }) => path).sort()).toEqual(["a.txt", "new.txt"]);
    const second = open("enforce");
    expect(await second.runtime.call("update", { steps: [WRITE] }, { alreadySeen: seen })).toMatchObject({
      ok: true,
    });
  });
});
