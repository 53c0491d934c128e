import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, s, type ToolPermission, type Workspace } from "../index.js";

const WORK: ToolPermission[] = ["ReadFiles", "WriteFiles", "CreateFiles", "DeleteFiles"];

/** Runs work with the workspace of a tool with some permissions in a role with others. */
async function given(
  keys: { permissions?: ToolPermission[]; alsoUses?: ToolPermission[]; role?: ToolPermission[] },
  work: (workspace: Workspace, context: Record<string, unknown>) => Promise<unknown>,
) {
  let failure: unknown;
  const Tool = defineTool({
    name: "keyed",
    summary: "Work.",
    category: "x-test",
    permissions: keys.permissions ?? [],
    alsoUses: keys.alsoUses ?? [],
    approval: "auto",
    input: s.object({}),
    output: s.object({}),
    run: async (_args, context) => {
      try {
        await work(context.workspace as never, context as never);
      } catch (error) {
        failure = error;
        throw error;
      }
      return {};
    },
  });
  const runtime = createTestRuntime({
    tools: [Tool],
    approver: scriptedApprover(true),
    files: { "a.txt": "a", "b.txt": "b" },
    role: { name: "r", permissions: keys.role ?? WORK },
  });
  return { result: await runtime.call("keyed"), failure, files: await runtime.workspaceFiles() };
}

const methods = async (permissions: ToolPermission[]) => {
  let names: string[] = [];
  await given({ permissions }, async (workspace) => {
    names = Object.keys(workspace);
    expect(Object.isFrozen(workspace)).toBe(true);
  });
  return names;
};

describe("permissions decide which methods exist", () => {
  it("S1.C3 writing is not forbidden, it is absent", async () => {
    expect(await methods([])).toEqual(["root", "absolute"]);
    expect(await methods(["ReadFiles"])).toEqual(expect.arrayContaining(["readText", "walk", "hashOf"]));
    expect(await methods(["ReadFiles"])).not.toContain("writeText");
    expect(await methods(["WriteFiles"])).toEqual([
      "root",
      "absolute",
      "writeText",
      "spliceText",
      "writeBytes",
      "setDirectoryMode",
    ]);
    expect(await methods(["WriteFiles", "CreateFiles"])).toContain("move");
    expect(await methods(["DeleteFiles"])).toEqual(["root", "absolute", "remove"]);
  });

  it("optional members exist, and reject if the role lacks the permission", async () => {
    const keys = {
      permissions: ["WriteFiles"],
      alsoUses: ["CreateFiles", "ReadFiles"],
      role: ["WriteFiles"],
    } as never;
    const refused = { code: "PERMISSION_DENIED", details: { missing: ["CreateFiles"] } };
    await given(keys, async (workspace) => {
      await expect(workspace.createText("new.txt", "x")).rejects.toMatchObject(refused);
      await expect(workspace.writeText("new.txt", "x")).rejects.toMatchObject(refused);
      await expect(workspace.move("a.txt", "c.txt")).rejects.toMatchObject(refused);
      await expect(workspace.readText("a.txt")).rejects.toMatchObject({
        details: { missing: ["ReadFiles"] },
      });
      const walking = async () => {
        for await (const _entry of workspace.walk(".")) throw new Error("walked");
      };
      await expect(walking()).rejects.toMatchObject({ details: { missing: ["ReadFiles"] } });
      await workspace.writeText("a.txt", "changed");
    }).then(({ result, files }) => {
      expect(result).toMatchObject({ ok: true });
      expect(files).toEqual({ "a.txt": "changed", "b.txt": "b" });
    });
  });

  it("a move that overwrites also needs the permission to delete", async () => {
    const overwrite = (workspace: Workspace) => workspace.move("a.txt", "b.txt", { overwrite: true });
    const without = await given({ permissions: ["WriteFiles", "CreateFiles"] }, overwrite);
    expect(without.failure).toMatchObject({
      code: "PERMISSION_DENIED",
      details: { missing: ["DeleteFiles"] },
    });
    expect(without.files).toEqual({ "a.txt": "a", "b.txt": "b" });
    const withKey = await given(
      { permissions: ["WriteFiles", "CreateFiles"], alsoUses: ["DeleteFiles"] },
      overwrite,
    );
    expect(withKey.files).toEqual({ "b.txt": "a" });
    const free = await given({ permissions: ["WriteFiles", "CreateFiles"] }, (workspace) =>
      workspace.move("a.txt", "c.txt", { overwrite: true }),
    );
    expect(free.files).toEqual({ "b.txt": "b", "c.txt": "a" });
    const keyless = {
      permissions: ["CreateFiles"],
      alsoUses: ["WriteFiles"],
      role: ["CreateFiles"],
    } as never;
    expect((await given(keyless, overwrite)).failure).toMatchObject({ details: { missing: ["WriteFiles"] } });
  });

  it("capabilities exist only with their permission", async () => {
    const none = await given({ permissions: [] }, async (_workspace, context) => {
      expect(Object.keys(context)).not.toEqual(expect.arrayContaining(["processes", "sandbox", "network"]));
    });
    expect(none.result.ok).toBe(true);
    const all: ToolPermission[] = ["ExecuteCommands", "RunCode", "NetworkAccess"];
    const offered = await given(
      { permissions: all, role: all },
      async (_workspace, { processes, sandbox, network }) => {
        await expect((processes as { run(): unknown }).run()).rejects.toThrow(
          /no processes: nothing here runs commands/,
        );
        await expect((sandbox as { run(): unknown }).run()).rejects.toThrow(/no sandbox/);
        await expect((network as { fetch(): unknown }).fetch()).rejects.toThrow(/no network/);
      },
    );
    expect(offered.result.ok).toBe(true);
  });

  it("absolute returns the absolute path, and root is set", async () => {
    await given({}, async (workspace) => {
      expect(workspace.absolute("a.txt")).toBe("/workspace/a.txt");
      expect(workspace.root).toBe("/workspace");
    }).then(({ result }) => expect(result.ok).toBe(true));
  });
});
