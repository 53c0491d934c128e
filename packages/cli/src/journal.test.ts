import { existsSync, readdirSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

describe("the change journal and undo", () => {
  let workspace: ReturnType<typeof temporaryWorkspace>;
  beforeEach(() => {
    workspace = temporaryWorkspace();
  });
  afterEach(() => workspace.remove());

  const env = { DEPLOY_TOKEN: "tok-123456789" };
  const haft = (...args: string[]) => runInProcess(args, { cwd: workspace.folder, env });
  const create = (path: string) =>
    haft("call", "write_file", JSON.stringify({ path, content: "x\n" }), "--json", "--approve", "all");

  it("is stored where the command's environment says, and listed from there", async () => {
    expect((await create("a.txt")).code).toBe(0);
    expect(readdirSync(`${workspace.folder}-state/haft`).sort()).toEqual([
      "audit-anchors",
      expect.stringMatching(/-[0-9a-f]{12}$/),
    ]);
    const { code, stdout } = await haft("changes");
    expect(code).toBe(0);
    expect(stdout).toMatch(/write_file +done +create a\.txt/);
    const undone = await haft("undo", "--json");
    expect(undone.json()).toEqual({
      ok: true,
      changes: [expect.objectContaining({ kind: "delete", path: "a.txt" })],
    });
    expect(existsSync(`${workspace.folder}/a.txt`)).toBe(false);
    const again = await haft("undo");
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("nothing to undo")]);
  });

  it("reports files that already match their state before the call", async () => {
    await create("a.txt");
    rmSync(`${workspace.folder}/a.txt`);
    expect(await haft("undo")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "Nothing to undo: the files already match their state before the call.\n",
    });
  });

  it("FU5 undoes a call by a prefix of its id if the prefix is unique", async () => {
    await create("one.txt");
    await create("two.txt");
    const ids = (await haft("changes", "--json")).json().map(({ callId }: { callId: string }) => callId);
    expect((await haft("undo", ids[0].slice(0, 12))).stdout).toContain("delete one.txt");
    expect(existsSync(`${workspace.folder}/two.txt`)).toBe(true);
    expect((await haft("undo", ids[1].slice(0, 12))).stdout).toContain("delete two.txt");
    const { code, stderr } = await haft("undo", "undo-");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/More than one call.*\nundo-\S+, undo-/)]);
  });

  it("lists the first paths of a call that changed many, and counts the rest", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `many-${index}.txt`);
    const patch = names.map((name) => `*** Add File: ${name}\n+x\n`).join("");
    const input = JSON.stringify({ patch: `*** Begin Patch\n${patch}*** End Patch\n` });
    expect((await haft("call", "apply_patch", input, "--approve", "all")).code).toBe(0);
    const { stdout } = await haft("changes");
    expect(stdout).toContain("create many-4.txt and 3 more");
    expect(stdout).not.toContain("many-5.txt");
    expect((await haft("changes", "--json")).stdout).toContain("many-7.txt");
  });

  it("is deleted on request, with all backups; later changes can still be undone", async () => {
    workspace.write("big/a.bin", "x".repeat(3_000_000));
    await haft("call", "delete_file", '{"path": "big", "recursive": true}', "--approve", "all");
    await create("a.txt");
    const kept = () => readdirSync(`${workspace.folder}-state`, { recursive: true, encoding: "utf8" });
    const [state = ""] = readdirSync(`${workspace.folder}-state/haft`).filter(
      (name) => name !== "audit-anchors",
    );
    const inTrash = () => kept().filter((path) => path.startsWith(`haft/${state}/trash/`));
    expect(inTrash()).not.toEqual([]);
    expect((await haft("changes", "--forget")).stdout).toMatch(
      /^forgot 2 calls, 3\.\d MB; they can no longer be undone\n$/,
    );
    expect(inTrash()).toEqual([]);
    expect((await haft("changes", "--json")).json()).toEqual([]);
    expect(await haft("undo")).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing to undo") });
    expect((await haft("changes", "--forget", "--json")).json()).toEqual({ ok: true, calls: 0, bytes: 0 });
    await create("b.txt");
    expect((await haft("undo")).stdout).toContain("delete b.txt");
    expect(existsSync(`${workspace.folder}/a.txt`)).toBe(true);
  });

  it("has nothing to forget if nothing was changed, and creates no folder", async () => {
    expect(await haft("changes", "--forget")).toMatchObject({ code: 0, stdout: "" });
    expect(existsSync(`${workspace.folder}-state/haft`)).toBe(false);
  });

  it("shows no secrets, neither in a list nor in an undo", async () => {
    await create("tok-123456789.txt");
    for (const args of [["changes"], ["changes", "--json"], ["undo", "--json"]]) {
      const { stdout } = await haft(...args);
      expect(stdout).toContain("[secret:DEPLOY_TOKEN].txt");
      expect(stdout).not.toContain("tok-123456789");
    }
  });

  it.runIf(existsSync("/proc/self/fd"))("lets go of the folder", async () => {
    const before = readdirSync("/proc/self/fd").length;
    for (let round = 0; round < 5; round += 1) await haft("changes");
    expect(readdirSync("/proc/self/fd").length).toBeLessThan(before + 5);
  });

  it("reports a missing folder as a usage error", async () => {
    const { code, stderr } = await haft("changes", "--workspace", "nowhere");
    expect([code, stderr]).toEqual([2, expect.stringContaining("PATH_NOT_FOUND")]);
  });
});
