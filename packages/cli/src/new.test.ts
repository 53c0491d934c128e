import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHaft } from "./fixtures/run-haft.js";
import { runInProcess } from "./fixtures/run-in-process.js";
import { linkPackages, temporaryWorkspace } from "./fixtures/temporary-workspace.js";

const TSC = new URL("../node_modules/@typescript/native/bin/tsc", import.meta.url).pathname;

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeAll(() => {
  workspace = temporaryWorkspace({ "a.txt": "one\ntwo\nthree\n" });
  // As in a clone, where vitest would find an unrelated configuration in a parent folder.
  workspace.write("vitest.config.js", 'export default { test: { include: ["nothing/**"] } };');
});
afterAll(() => workspace.remove());

const at = (path: string) => join(workspace.folder, path);
const haft = (...args: string[]) => runHaft(args, { cwd: workspace.folder });

/** Installs the dependencies of a scaffold, as `npm install` would, and runs one of its scripts. */
function npm(folder: string, script: string): string {
  if (!existsSync(at(`${folder}/node_modules`))) {
    linkPackages(at(folder), ["@haft/core", "@haft/testing", "vitest"]);
    mkdirSync(at(`${folder}/node_modules/.bin`));
    symlinkSync("../vitest/vitest.mjs", at(`${folder}/node_modules/.bin/vitest`));
    symlinkSync(TSC, at(`${folder}/node_modules/.bin/tsc`));
  }
  return execFileSync("npm", ["run", script], {
    cwd: at(folder),
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", CI: "1" },
  });
}

describe("haft new tool", () => {
  beforeAll(async () => {
    const made = await haft("new", "tool", "word-count");
    expect(made).toMatchObject({ code: 0, stdout: "" });
    expect(made.stderr).toContain("npm install");
  });

  it("writes a TypeScript package with the kernel as a peer dependency, and text that fits its name", () => {
    const manifest = JSON.parse(readFileSync(at("word-count/package.json"), "utf8"));
    expect(manifest).toMatchObject({
      name: "haft-tool-word-count",
      description: "Word count, a tool for agents.",
      haft: { pack: true },
      sideEffects: true,
      publishConfig: { provenance: true },
      peerDependencies: { "@haft/core": ">=0.1.0 <1" },
    });
    expect(manifest).not.toHaveProperty("dependencies");
    expect(readdirSync(at("word-count")).sort()).toEqual([
      ".github",
      ".gitignore",
      "README.md",
      "package.json",
      "src",
      "tsconfig.json",
      "vitest.config.ts",
    ]);
    expect(readFileSync(at("word-count/src/word-count.ts"), "utf8")).toContain(
      "Run word count on a text file.",
    );
  });

  it("writes a package that passes its contract test and builds", () => {
    expect(npm("word-count", "test")).toMatch(/Tests +\d+ passed/);
    npm("word-count", "build");
    expect(existsSync(at("word-count/dist/index.d.ts"))).toBe(true);
  }, 60_000);

  it("writes a package that loads as a pack by the path of its folder", async () => {
    expect((await haft("tools", "--packs", "./word-count")).stdout).toContain("word_count");
    const args = ["call", "word_count", '{"path":"a.txt"}', "--json"];
    expect((await haft(...args, "--packs", "./word-count")).json()).toMatchObject({
      ok: true,
      value: { lines: 3 },
    });
    workspace.write("conf/own.json", JSON.stringify({ packs: ["../word-count", "@haft/tool-fs"] }));
    expect((await haft(...args, "--config", "conf/own.json")).json()).toMatchObject({ ok: true });
    workspace.write("haft.config.json", JSON.stringify({ packs: ["./word-count"] }));
    const found = await haft(...args);
    rmSync(at("haft.config.json"));
    expect(found.json()).toMatchObject({ ok: false });
    expect(found.stderr).toContain("haft trust");
  });

  it("writes a package that is a pack as soon as it is installed", async () => {
    mkdirSync(at("node_modules"), { recursive: true });
    symlinkSync(at("word-count"), at("node_modules/haft-tool-word-count"));
    const called = await haft(
      ...["call", "word_count", '{"path":"a.txt"}', "--packs", "haft-tool-word-count", "--json"],
    );
    expect(called.json()).toMatchObject({ value: { lines: 3 }, text: "3 lines" });
  });

  it("does not overwrite existing files", async () => {
    const before = readFileSync(at("word-count/README.md"), "utf8");
    const again = await haft("new", "tool", "word-count");
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("ALREADY_EXISTS");
    expect(readFileSync(at("word-count/README.md"), "utf8")).toBe(before);
  });

  it("with --decorator writes a class that compiles and passes the same contract", async () => {
    expect(await haft("new", "tool", "line-length", "--decorator")).toMatchObject({ code: 0 });
    expect(npm("line-length", "test")).toMatch(/Tests +\d+ passed/);
    npm("line-length", "build");
    expect((await haft("tools", "--packs", "./line-length")).stdout).toContain("line_length");
  }, 60_000);

  it("refuses a bad name and decorators without TypeScript", async () => {
    expect((await haft("new", "tool", "Word Count")).stderr).toContain("INVALID_NAME");
    expect((await haft("new", "tool", "x-y", "--js", "--decorator")).stderr).toContain(
      "Decorators need TypeScript",
    );
    expect(existsSync(at("x-y"))).toBe(false);
  });
});

describe("haft new pack", () => {
  it("with --js writes two tools that share a service and a section of the configuration", async () => {
    expect(await haft("new", "pack", "notes", "--js")).toMatchObject({ code: 0 });
    const missing = await haft("tools", "--packs", "./notes");
    expect(missing.stderr).toContain("Cannot find package '@haft/core'");
    expect(missing.stderr).toContain(`cd ${at("notes")} && npm install`);
    expect(npm("notes", "test")).toMatch(/Tests +\d+ passed/);
    const config = { packs: ["../notes"], packConfig: { notes: { file: "mine.md" } } };
    workspace.write("conf/notes.json", JSON.stringify(config));
    const added = await haft(
      ...["call", "add_notes", '{"text":"hi"}', "--config", "conf/notes.json", "--approve", "all", "--json"],
    );
    expect(added.json()).toMatchObject({ ok: true, changes: [{ path: "mine.md" }] });
  }, 60_000);

  it("in TypeScript compiles", async () => {
    expect(await haft("new", "pack", "journal")).toMatchObject({ code: 0 });
    npm("journal", "build");
    const { stdout } = await haft("tools", "--packs", "./journal");
    expect(stdout).toContain("add_journal");
    expect(stdout).toContain("list_journal");
  }, 60_000);

  it("with --decorator writes classes whose constructors take the services", async () => {
    expect(await haft("new", "pack", "diary", "--decorator")).toMatchObject({ code: 0 });
    expect(readFileSync(at("diary/src/add-diary.ts"), "utf8")).toContain("@tool(definition)");
    expect(npm("diary", "test")).toMatch(/Tests +\d+ passed/);
    npm("diary", "build");
    expect((await haft("tools", "--packs", "./diary")).stdout).toContain("list_diary");
  }, 60_000);
});

describe("haft new with unusual names", () => {
  it("compiles for names that have another meaning", async () => {
    const made = [
      ["tool", "tool-error"],
      ["tool", "args-of", "--decorator"],
      ["tool", "promise", "--decorator"],
      ["tool", "record", "--decorator"],
      ["tool", "object"],
      ["tool", "index"],
      ["tool", "default"],
      ["tool", "@me/class"],
      ["pack", "clock"],
      ["pack", "settings"],
      ["pack", "x".repeat(50)],
    ];
    const folders = made.map(([, name = ""]) => `odd/${name.replace("@me/", "")}`);
    mkdirSync(at("odd"));
    for (const args of made)
      expect(await runInProcess(["new", ...args], { cwd: at("odd") })).toMatchObject({ code: 0 });
    linkPackages(at("odd"), ["@haft/core", "@haft/testing", "vitest"]);
    const { compilerOptions } = JSON.parse(readFileSync(at("odd/tool-error/tsconfig.json"), "utf8"));
    const project = {
      compilerOptions: { ...compilerOptions, rootDir: ".", outDir: "built" },
      include: folders.map((folder) => `${folder.replace("odd/", "")}/src`),
    };
    workspace.write("odd/tsconfig.json", JSON.stringify(project));
    workspace.write("odd/package.json", '{ "type": "module" }');
    execFileSync(process.execPath, [TSC, "-p", "."], { cwd: at("odd"), encoding: "utf8" });
    for (const folder of folders) {
      const entry = at(`odd/built/${folder.replace("odd/", "")}/src/index.js`);
      expect(Object.keys(await import(pathToFileURL(entry).href)).length).toBeGreaterThan(0);
    }
  }, 60_000);
});

describe("haft new role", () => {
  it("writes a role file that a command can use", async () => {
    const made = await haft("new", "role", "author");
    expect(made).toMatchObject({ code: 0 });
    expect(made.stderr).toMatch(/^Created \.haft\/author\.json\. Next:\n/);
    const { code, stdout } = await haft("tools", "--role", ".haft/author.json");
    expect(code).toBe(0);
    expect(stdout).toContain("write_file");
    expect(stdout).not.toContain("delete_file");
    expect((await haft("new", "role", "author")).stderr).toContain("ALREADY_EXISTS");
  });

  it("writes limits that hold for every tool that changes files, and show in their schemas", async () => {
    const call = (tool: string, path: string) =>
      haft("call", tool, JSON.stringify({ path, content: "x" }), "--role", ".haft/author.json");
    for (const tool of ["create_file", "write_file"]) {
      expect((await call(tool, `src/${tool}.ts`)).stderr).toContain("POLICY_DENIED");
      expect(await call(tool, `docs/${tool}.md`)).toMatchObject({ code: 0 });
    }
    const { stdout } = await haft("schema", "--role", ".haft/author.json");
    const narrowed = (JSON.parse(stdout) as { function: { name: string } }[])
      .filter((tool) => JSON.stringify(tool).includes("Only docs/**."))
      .map((tool) => tool.function.name);
    expect(narrowed).toEqual(expect.arrayContaining(["create_file", "write_file"]));
    expect(narrowed).not.toContain("read_file");
  });

  it("writes a file that haft role check explains, including rules that can match nothing", async () => {
    const checked = await haft("role", "check", ".haft/author.json");
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.stdout).toMatch(/^author: ReadFiles WriteFiles CreateFiles$/m);
    expect(checked.stdout).toMatch(/^not offered: delete_file \(.*DeleteFiles.*\)$/m);
    const role = {
      name: "odd",
      permissions: ["ReadFiles"],
      rules: [{ effect: "allow", permission: "RunCode" }],
    };
    workspace.write(".haft/odd.json", JSON.stringify(role));
    const odd = await haft("role", "check", ".haft/odd.json");
    expect(odd).toMatchObject({ code: 1 });
    expect(odd.stdout).toContain("rule 1 (allow) never matches: the role does not hold RunCode");
    workspace.write(".haft/wrong.json", JSON.stringify({ name: "wrong", permission: [] }));
    const wrong = await haft("role", "check", ".haft/wrong.json");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("CONFIG_INVALID");
  });
});
