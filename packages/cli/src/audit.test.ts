import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateDirectoryOf } from "@haft/runtime-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  workspace = temporaryWorkspace({ "a.txt": "old\n" });
});
afterEach(() => workspace.remove());

const haft = (...args: string[]) => runInProcess(args, { cwd: workspace.folder });
const overwrite = JSON.stringify({ path: "a.txt", content: "new\n" });

const stateHome = () => join(`${workspace.folder}-state`, "haft");
const logFile = () =>
  join(stateDirectoryOf(workspace.folder, { XDG_STATE_HOME: `${workspace.folder}-state` }), "audit.jsonl");

describe("S13 haft audit", () => {
  it("lists who decided which call, and how", async () => {
    await haft("call", "write_file", overwrite, "--approve", "none");
    await haft("call", "write_file", overwrite, "--approve", "all");
    await haft("call", "read_file", '{"path": "a.txt"}');
    const { code, stdout } = await haft("audit");
    expect(code).toBe(0);
    const [header, ...rows] = stdout.trimEnd().split("\n");
    expect(header).toMatch(/^SEQ +WHEN +TOOL +VERDICT +BY +WHAT$/);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/^1 .* write_file +deny +none +modify a\.txt$/);
    expect(rows[1]).toMatch(/^2 .* write_file +allow +rule: --approve all +modify a\.txt$/);
    expect(rows[2]).toMatch(/^3 .* write_file +ok +\d+ ms +modify a\.txt$/);
  });

  it("--export prints one JSON object per line, --json one list", async () => {
    await haft("call", "write_file", overwrite, "--approve", "all");
    await haft("call", "delete_file", '{"path": "a.txt"}', "--approve", "none");
    const exported = (await haft("audit", "--export")).stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(exported).toMatchObject([
      { seq: 1, tool: "write_file", verdict: "allow", changes: [{ kind: "modify", path: "a.txt" }] },
      { seq: 2, tool: "write_file", outcome: { status: "ok", durationMs: expect.any(Number) } },
      { seq: 3, tool: "delete_file", verdict: "deny", previous: exported[1].hash },
    ]);
    expect((await haft("audit", "--json")).json()).toEqual(exported);
  });

  it("lists a record damaged beyond recognition as unreadable, and exports it unchanged", async () => {
    await haft("call", "write_file", overwrite, "--approve", "none");
    await haft("call", "write_file", overwrite, "--approve", "none");
    const [first = "", ...rest] = readFileSync(logFile(), "utf8").split("\n");
    const { seq, hash, previous } = JSON.parse(first);
    writeFileSync(logFile(), [JSON.stringify({ seq, hash, previous }), ...rest].join("\n"));
    const { code, stdout, stderr } = await haft("audit");
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("tampered with") });
    expect(stdout).toMatch(/^1 .*unreadable/m);
    expect(stdout).toMatch(/^2 .*write_file/m);
    expect(await haft("audit", "--export")).toMatchObject({ code: 0 });
  });

  it("--verify: exit code 0 for an intact log, 1 for one that was tampered with", async () => {
    await haft("call", "write_file", overwrite, "--approve", "none");
    expect(await haft("audit", "--verify")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("intact"),
    });
    const text = readFileSync(logFile(), "utf8");
    writeFileSync(logFile(), text.replace('"deny"', '"allow"'));
    expect(await haft("audit", "--verify")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("record 1 was changed"),
    });
    writeFileSync(logFile(), "");
    expect((await haft("audit", "--verify", "--json")).json()).toMatchObject({ intact: false });
    rmSync(logFile());
    mkdirSync(logFile());
    expect(await haft("audit", "--verify")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("STATE_DAMAGED"),
    });
  });

  it("warns of damage wherever the log is read, even after later records", async () => {
    for (let count = 0; count < 3; count += 1)
      await haft("call", "write_file", overwrite, "--approve", "none");
    const [first] = readFileSync(logFile(), "utf8").split("\n");
    writeFileSync(logFile(), `${first}\n`);
    rmSync(logFile().replace(/jsonl$/, "head"));
    rmSync(join(stateHome(), "audit-anchors"), { recursive: true });
    const readers = [["audit"], ["audit", "--export"], ["policy", "suggest"], ["policy", "replay"]];
    for (const reader of readers)
      expect((await haft(...reader)).stderr).toContain("tampered with or damaged");
    await haft("call", "write_file", overwrite, "--approve", "none");
    for (const reader of readers) expect((await haft(...reader)).stderr).toContain("record 2 is missing");
    expect(await haft("audit", "--verify")).toMatchObject({ code: 1 });
  });

  it.each([
    ["the log and its head", () => ["audit.jsonl", "audit.head"].map((name) => join(logFile(), "..", name))],
    ["the whole state folder of the workspace", () => [join(logFile(), "..")]],
  ])(
    "%s deleted: stays visible, also after the next record, and the remedy is named",
    async (_what, files) => {
      for (let count = 0; count < 3; count += 1)
        await haft("call", "write_file", overwrite, "--approve", "none");
      for (const file of files()) rmSync(file, { recursive: true });
      expect(await haft("audit", "--verify")).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("records 1 to 3 were cut off"),
      });
      await haft("call", "write_file", overwrite, "--approve", "none");
      const { code, stderr } = await haft("audit", "--verify");
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("record 1 is missing"),
      });
      const [, remedy = ""] = stderr.split("begin a new one by moving these files away: ");
      for (const file of remedy.trim().split(", ")) rmSync(file);
      await haft("call", "write_file", overwrite, "--approve", "none");
      expect(await haft("audit", "--verify")).toMatchObject({ code: 0 });
    },
  );

  it("an empty log lists nothing and is intact", async () => {
    expect(await haft("audit")).toMatchObject({ code: 0, stdout: "" });
    expect(await haft("audit", "--verify")).toMatchObject({ code: 0 });
  });
});
