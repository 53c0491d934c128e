import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHaft } from "./fixtures/run-haft.js";
import { linkPackages, temporaryWorkspace } from "./fixtures/temporary-workspace.js";

describe("haft new tool", () => {
  let workspace: ReturnType<typeof temporaryWorkspace>;
  beforeAll(async () => {
    workspace = temporaryWorkspace({ "a.txt": "one two three\n" });
    const made = await runHaft(["new", "tool", "word-count"], { cwd: workspace.folder });
    expect(made).toMatchObject({ code: 0, stdout: "" });
    expect(made.stderr).toContain("its README.md says how");
  });
  afterAll(() => workspace.remove());

  const file = (path: string) => join(workspace.folder, "word-count", path);

  it("writes a package that takes the kernel from its host", () => {
    expect(readdirSync(file(".")).sort()).toEqual(["README.md", "package.json", "src", "vitest.config.js"]);
    const manifest = JSON.parse(readFileSync(file("package.json"), "utf8"));
    expect(manifest).toMatchObject({
      name: "haft-tool-word-count",
      haft: { pack: true },
      sideEffects: true,
      peerDependencies: { "@haft/core": ">=0.1.0 <1" },
    });
    expect(manifest).not.toHaveProperty("dependencies");
  });

  it("which, before its dependencies are there, says what is missing and where", async () => {
    const { code, stderr } = await runHaft(["tools", "--packs", "./word-count"], { cwd: workspace.folder });
    expect(code).toBe(2);
    expect(stderr).toContain("Cannot find package '@haft/core'");
    expect(stderr).toContain(`cd ${join(workspace.folder, "word-count")} && npm install`);
  });

  it("whose own test passes", () => {
    // As in a clone, where vitest would find somebody else's configuration above.
    workspace.write("vitest.config.js", 'export default { test: { include: ["nothing/**"] } };');
    linkPackages(join(workspace.folder, "word-count"), ["@haft/core", "@haft/testing", "vitest"]);
    mkdirSync(file("node_modules/.bin"));
    symlinkSync("../vitest/vitest.mjs", file("node_modules/.bin/vitest"));
    const output = execFileSync("npm", ["test"], {
      cwd: file("."),
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1", CI: "1" },
    });
    expect(output).toMatch(/Tests +\d+ passed/);
  });

  it("and which is a pack where it lies, when a person names its folder", async () => {
    const args = ["call", "word_count", '{"path":"a.txt"}', "--json"];
    const named = await runHaft([...args, "--packs", "./word-count"], { cwd: workspace.folder });
    expect(named.json()).toMatchObject({ ok: true, value: { words: 3 } });
    workspace.write("conf/own.json", JSON.stringify({ packs: ["../word-count", "@haft/tool-fs"] }));
    const configured = await runHaft([...args, "--config", "conf/own.json"], { cwd: workspace.folder });
    expect(configured.json()).toMatchObject({ ok: true, value: { words: 3 } });
    workspace.write("haft.config.json", JSON.stringify({ packs: ["./word-count"] }));
    const found = await runHaft(args, { cwd: workspace.folder });
    rmSync(join(workspace.folder, "haft.config.json"));
    expect(found.json()).toMatchObject({ ok: false, error: { code: "PACK_NOT_TRUSTED" } });
  });

  it("and which is a pack as soon as it is installed", async () => {
    const installed = join(workspace.folder, "node_modules", "haft-tool-word-count");
    execFileSync("mkdir", ["-p", join(workspace.folder, "node_modules")]);
    execFileSync("ln", ["-s", file("."), installed]);
    const { code, json } = await runHaft(
      ["call", "word_count", '{"path":"a.txt"}', "--packs", "haft-tool-word-count", "--json"],
      { cwd: workspace.folder },
    );
    expect(code).toBe(0);
    expect(json()).toMatchObject({ value: { words: 3 }, text: "3 words" });
  });

  it("leaves alone what is there", async () => {
    const before = readFileSync(file("README.md"), "utf8");
    const again = await runHaft(["new", "tool", "word-count"], { cwd: workspace.folder });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("ALREADY_EXISTS");
    expect(readFileSync(file("README.md"), "utf8")).toBe(before);
    expect(existsSync(file("src/word-count.js"))).toBe(true);
  });
});
