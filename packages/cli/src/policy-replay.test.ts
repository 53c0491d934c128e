import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalRequest } from "@haft/core";
import { createNodeRuntime } from "@haft/runtime-node";
import { WriteFile } from "@haft/tool-fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeAll(async () => {
  workspace = temporaryWorkspace({ "a.txt": "1\n", "b.txt": "1\n", "c.txt": "1\n" });
  const env = { XDG_STATE_HOME: `${workspace.folder}-state` };
  const approver = async ({ args }: ApprovalRequest) => ({ approved: args.path !== "c.txt" });
  const options = {
    workspace: workspace.folder,
    tools: [WriteFile],
    readBeforeWrite: "off",
    env,
    approver,
  } as const;
  await using runtime = await createNodeRuntime(options);
  for (const path of ["a.txt", "b.txt", "c.txt"])
    expect((await runtime.call("write_file", { path, content: "2\n" })).ok).toBe(path !== "c.txt");
});
afterAll(() => workspace.remove());

const haft = (...args: string[]) => runInProcess(args, { cwd: workspace.folder });
const config = (rules: object[]) => {
  const file = join(workspace.folder, "rules.json");
  writeFileSync(file, JSON.stringify({ rules }));
  return file;
};

describe("haft policy suggest and replay", () => {
  it("suggests rules for approved calls only, with a coverage number", async () => {
    const { stdout, stderr } = await haft("policy", "suggest");
    const { rules } = JSON.parse(stdout);
    expect(rules).toMatchObject([
      { effect: "allow", tool: "write_file", when: { path: { only: ["/a.txt", "/b.txt"] } } },
    ]);
    expect(stderr).toContain("1 rule covers 2 of 2 approved requests.");
    const args = (path: string) => JSON.stringify({ path, content: "3\n" });
    const explained = async (path: string) =>
      (await haft("policy", "explain", "write_file", args(path), "--json", "--config", config(rules))).json()
        .effect;
    expect(await explained("a.txt")).toBe("allow");
    expect(await explained("c.txt")).toBe("ask");
  });

  it("replay shows the calls that other rules would decide differently", async () => {
    const file = config([
      { effect: "deny", when: { path: "b.txt" } },
      { effect: "allow", when: { path: "/a.txt" } },
    ]);
    const { stdout, stderr } = await haft("policy", "replay", "--config", file);
    expect(stdout).toMatch(/write_file +ask +allow +a\.txt/);
    expect(stdout).toMatch(/write_file +ask +deny +b\.txt/);
    expect(stdout).not.toContain("c.txt");
    expect(stderr).toMatch(/^2 of \d recorded calls would be decided differently\.\n$/);
    expect((await haft("policy", "replay", "--json", "--config", config([]))).json().changed).toEqual([]);
  });
});
