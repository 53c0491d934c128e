import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// Code that a tool could have written to a workspace must not run when haft starts there.
describe("code in the workspace", () => {
  let workspace: ReturnType<typeof temporaryWorkspace>;
  beforeEach(() => {
    workspace = temporaryWorkspace();
  });
  afterEach(() => workspace.remove());

  const haft = (...args: string[]) => runInProcess(args, { cwd: workspace.folder });
  const hasRun = () => existsSync(join(workspace.folder, "has-run"));

  function plant(name: string): void {
    const folder = `node_modules/${name}`;
    const manifest = { name, version: "1.0.0", type: "module", exports: "./index.js", haft: { pack: true } };
    workspace.write(`${folder}/package.json`, JSON.stringify(manifest));
    const mark = JSON.stringify(join(workspace.folder, "has-run"));
    workspace.write(`${folder}/index.js`, `import fs from "node:fs"; fs.writeFileSync(${mark}, "");`);
  }

  it("does not replace a first-party pack", async () => {
    plant("@haft/tool-fs");
    workspace.write("haft.config.json", JSON.stringify({ packs: ["@haft/tool-fs"] }));
    const { code, stdout } = await haft("tools");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^read_file .*@haft\/tool-fs$/m);
    expect(hasRun()).toBe(false);
    await haft("tools", "--packs", "@haft/tool-fs");
    expect(hasRun()).toBe(false);
  });

  it("FE6 is not imported because an untrusted configuration names it", async () => {
    plant("planted-pack");
    workspace.write("haft.config.json", JSON.stringify({ packs: ["planted-pack"] }));
    const { code, stdout, stderr } = await haft("tools");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^read_file /m);
    expect(stderr).toContain("ignored: packs. Review and trust it: haft trust");
    expect(hasRun()).toBe(false);
  });

  it("is not imported because it uses one of our names", async () => {
    plant("@haft/tool-planted");
    workspace.write("haft.config.json", JSON.stringify({ packs: ["@haft/tool-planted"] }));
    const { code, stderr } = await haft("tools");
    expect(code).toBe(2);
    expect(stderr).toContain(
      "PACK_NOT_TRUSTED: The configuration found in the workspace names the pack @haft/tool-planted",
    );
    expect(stderr).toContain("--config haft.config.json");
    expect(hasRun()).toBe(false);
  });

  it.each([
    ["--packs", "planted-pack"],
    ["--config", "haft.config.json"],
  ])("is imported if a person names it with %s", async (...said) => {
    plant("planted-pack");
    workspace.write("haft.config.json", JSON.stringify({ packs: ["planted-pack"] }));
    await haft("tools", ...said);
    expect(hasRun()).toBe(true);
  });

  it("prompts before a tool writes below node_modules", async () => {
    const args = JSON.stringify({ path: "node_modules/x/index.js", content: "1" });
    const { code, stdout } = await haft("call", "write_file", args, "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "APPROVAL_REQUIRED", message: expect.stringContaining("protected") },
    });
    expect(existsSync(join(workspace.folder, "node_modules"))).toBe(false);
  });
});
