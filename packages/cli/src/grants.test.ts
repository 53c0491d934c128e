import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalAnswer } from "@haft/core";
import { createNodeRuntime } from "@haft/runtime-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import "@haft/tool-fs";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

describe("remembered answers", () => {
  let workspace: ReturnType<typeof temporaryWorkspace>;
  beforeEach(() => {
    workspace = temporaryWorkspace({ "a.txt": "hello\n" });
  });
  afterEach(() => workspace.remove());

  const haft = (...args: string[]) => runInProcess(args, { cwd: workspace.folder });
  const WRITE = ["call", "write_file", '{"path":"a.txt","content":"new\\n"}', "--json"];
  const content = () => readFileSync(join(workspace.folder, "a.txt"), "utf8");

  /** A user answered "always" earlier, in another process. */
  async function remember(what: ApprovalAnswer["remember"] = "project"): Promise<void> {
    const env = { XDG_STATE_HOME: `${workspace.folder}-state` };
    await using runtime = await createNodeRuntime({
      workspace: workspace.folder,
      env,
      readBeforeWrite: "off",
      approver: async () => ({ approved: true, remember: what }),
    });
    await runtime.call("write_file", { path: "a.txt", content: "first\n" });
  }

  it("is listed with its exact rule, and the call prompts again after it is revoked", async () => {
    expect((await haft("policy", "grants")).stderr).toContain("No grants are saved in this workspace");
    expect((await haft("policy", "grants", "--json")).json()).toEqual([]);
    await remember();
    const [grant] = (await haft("policy", "grants", "--json")).json();
    expect(grant).toMatchObject({ scope: "project", match: { tool: "write_file", role: "coder" } });
    const { stdout } = await haft("policy", "grants");
    expect(stdout).toContain(grant.id);
    expect(stdout).toContain(grant.label);
    expect((await haft(...WRITE, "--approve", "none")).json()).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
    const revoked = await haft("policy", "revoke", grant.id.slice(0, 6), "--json");
    expect(revoked.json()).toMatchObject({ ok: true, revoked: { id: grant.id } });
    expect((await haft("policy", "grants", "--json")).json()).toEqual([]);
    expect(content()).toBe("first\n");
  });

  it("names the call if the rule covers one exact call", async () => {
    await remember({ grant: "call", scope: "project" });
    const { stdout } = await haft("policy", "grants");
    expect(stdout).toContain('this exact write_file call: a.txt · content "first"');
  });

  it("rejects an ambiguous prefix", async () => {
    const unknown = await haft("policy", "revoke", "");
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
  });
});
