import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { definitionOf } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeRuntime } from "../create-node-runtime.js";
import { loadInstalledPacks } from "./load-installed-packs.js";
import { loadPacks } from "./load-packs.js";
import { packageEntry } from "./package-entry.js";

const fixtures = fileURLToPath(new URL("./fixtures", import.meta.url));
let app: string;

beforeEach(() => {
  app = realpathSync(mkdtempSync(join(tmpdir(), "haft-packs-")));
});

afterEach(() => rmSync(app, { recursive: true, force: true }));

function install(...names: string[]): void {
  for (const name of names) {
    const folder = name === "plain-library" ? name : `@acme/${name}`;
    cpSync(join(fixtures, name), join(app, "node_modules", folder), { recursive: true });
  }
}

function manifest(content: object): void {
  writeFileSync(join(app, "package.json"), JSON.stringify(content));
}

describe("loadInstalledPacks", () => {
  it("S1.C7 imports the dependencies that are packs, and no others", async () => {
    install("tool-words", "plain-library");
    manifest({
      dependencies: { "@acme/tool-words": "*", "plain-library": "*" },
      optionalDependencies: { "@acme/tool-absent": "*" },
    });
    mkdirSync(join(app, "src", "deep"), { recursive: true });
    const fromUrl = await loadInstalledPacks(pathToFileURL(join(app, "src", "deep", "main.js")).href);
    expect(
      fromUrl.map(({ name, version, tools }) => ({
        name,
        version,
        tools: tools.map((tool) => definitionOf(tool).name),
      })),
    ).toEqual([{ name: "@acme/tool-words", version: "1.2.3", tools: ["acme_count_words"] }]);
    // It was imported before, so it registers nothing now; its tools are still known.
    expect((await loadInstalledPacks(join(app, "src")))[0]?.tools).toEqual(fromUrl[0]?.tools);
    expect(await loadInstalledPacks(pathToFileURL(join(app, "x.js")))).toHaveLength(1);
  });

  it("S1.A3 a third-party pack is available: listed, filtered by role, runnable, without edits here", async () => {
    install("tool-words");
    await using runtime = await createNodeRuntime({
      workspace: app,
      packs: ["@acme/tool-words"],
      packsFrom: app,
      role: "reader",
      stateDirectory: join(app, "..", "haft-packs-state"),
    });
    expect(runtime.tools().map(({ name }) => name)).toEqual(["acme_count_words"]);
    expect(await runtime.call("acme_count_words", { text: "one two three" })).toMatchObject({
      ok: true,
      value: { words: 3 },
    });
    expect(await runtime.call("acme_count_words", { text: 1, more: 2 })).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
  });

  it("names a missing dependency and how to install it", async () => {
    manifest({ dependencies: { "@acme/tool-words": "*" } });
    await expect(loadInstalledPacks(app)).rejects.toMatchObject({
      code: "PACK_NOT_INSTALLED",
      message: expect.stringContaining("@acme/tool-words"),
      hint: expect.stringContaining("npm install @acme/tool-words"),
    });
  });

  it("an application without dependencies has no packs; an invalid manifest is reported", async () => {
    manifest({});
    expect(await loadInstalledPacks(app)).toEqual([]);
    writeFileSync(join(app, "package.json"), "{");
    await expect(loadInstalledPacks(app)).rejects.toMatchObject({
      code: "PACK_FAILED",
      message: expect.stringContaining("package.json"),
    });
    writeFileSync(join(app, "package.json"), "null");
    expect(await loadInstalledPacks(app)).toEqual([]);
  });

  it("a folder without a package.json above it has nothing to load from", async () => {
    await expect(loadInstalledPacks("/proc/self")).rejects.toMatchObject({ code: "PACK_NOT_INSTALLED" });
  });
});

describe("loadPacks", () => {
  it("errors name the package and the remedy", async () => {
    install("tool-throws", "tool-none");
    await expect(loadPacks(["@acme/missing"], app)).rejects.toMatchObject({
      code: "PACK_NOT_INSTALLED",
      hint: "Install it: npm install @acme/missing",
    });
    await expect(loadPacks(["@acme/tool-throws"], app)).rejects.toMatchObject({
      code: "PACK_FAILED",
      message: "@acme/tool-throws could not be imported: needs a newer Node",
      cause: expect.any(Error),
    });
    await expect(loadPacks(["@acme/tool-none"], app)).rejects.toMatchObject({
      code: "PACK_FAILED",
      message: expect.stringContaining("registered no tools"),
    });
    mkdirSync(join(app, "node_modules", "closed"), { recursive: true });
    writeFileSync(join(app, "node_modules", "closed", "package.json"), '{"exports": {"./other": "./x.js"}}');
    await expect(loadPacks(["closed"], app)).rejects.toMatchObject({
      code: "PACK_FAILED",
      message: expect.stringContaining("exports no entry"),
    });
  });

  it("FP7 a class whose definition is null is not a tool", async () => {
    const folder = join(app, "node_modules", "defined-as-null");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"type": "module", "exports": "./index.js"}');
    const source = 'export class Tool {} Tool[Symbol.for("haft.tool-definition.v1")] = null;';
    writeFileSync(join(folder, "index.js"), source);
    await expect(loadPacks(["defined-as-null"], app)).rejects.toMatchObject({
      code: "PACK_FAILED",
      message: expect.stringContaining("registered no tools"),
    });
  });

  it.each([
    ["as a module", "module", "for (;;);"],
    ["as CommonJS", "commonjs", "for (;;);"],
    [
      "without using the processor",
      "module",
      "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);",
    ],
    ["after it waited", "module", "await new Promise((resolve) => setTimeout(resolve, 10)); for (;;);"],
  ])("FP7 an import that blocks the thread is stopped: %s", async (_how, type, source) => {
    const folder = join(app, "node_modules", "looping");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type, exports: "./index.js" }));
    writeFileSync(join(folder, "index.js"), source);
    await expect(loadPacks(["looping"], app, { importMs: 300 })).rejects.toMatchObject({
      code: "PACK_FAILED",
      message: "looping could not be imported: its import blocked the process for 0.3 s",
      hint: "Remove it from the list of packs, or try another version: npm install looping@VERSION.",
    });
  });

  it("a name that is a path loads nothing", async () => {
    for (const name of ["../evil", "/etc/passwd", "./x", "", "a/b/c", "@acme", "..", ".hidden"])
      await expect(loadPacks([name], app)).rejects.toMatchObject({ code: "PACK_NOT_INSTALLED" });
  });
});

describe("packageEntry", () => {
  const entry = (manifest: object, conditions?: string[]) =>
    packageEntry({ directory: "/p", manifest }, conditions);

  it("follows Node's rules for import", () => {
    expect(entry({})).toBe("/p/index.js");
    expect(entry({ main: "lib/a.js" })).toBe("/p/lib/a.js");
    expect(entry({ exports: "./a.js", main: "b.js" })).toBe("/p/a.js");
    expect(entry({ exports: { ".": "./a.js" } })).toBe("/p/a.js");
    expect(entry({ exports: { require: "./a.cjs", import: "./a.mjs" } })).toBe("/p/a.mjs");
    expect(entry({ exports: { ".": { node: { require: "./a.cjs", default: "./a.mjs" } } } })).toBe(
      "/p/a.mjs",
    );
    expect(entry({ exports: { ".": [{ browser: "./b.js" }, "./a.js"] } })).toBe("/p/a.js");
    expect(entry({ exports: { ".": { source: "./s.ts", default: "./a.js" } } }, ["source"])).toBe("/p/s.ts");
    expect(entry({ exports: { ".": null } })).toBeUndefined();
    expect(entry({ exports: { browser: "./b.js" } })).toBeUndefined();
  });

  it("knows the conditions this process was started with", () => {
    const before = [...process.execArgv];
    process.execArgv.push("-C", "one", "--conditions=two", "--conditions");
    try {
      expect(entry({ exports: { two: "./two.js", default: "./d.js" } })).toBe("/p/two.js");
      expect(entry({ exports: { one: "./one.js", default: "./d.js" } })).toBe("/p/one.js");
    } finally {
      process.execArgv.splice(0, process.execArgv.length, ...before);
    }
  });
});
