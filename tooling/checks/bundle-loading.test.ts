import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "./source-files.js";

const BIN = join(ROOT, "packages/cli/bin");
const LOADER = join(BIN, "load-bundle.js");
const SAVING = join(ROOT, "tooling/bundle/save-compiled.cjs");
const { compiledName } = createRequire(import.meta.url)(LOADER) as { compiledName(file: string): string };

let folder: string;
let entry: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-loading-"));
  entry = join(folder, "haft.cjs");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("compiled code beside a bundle", () => {
  it("is not used if it was made from another script of the same length", () => {
    write("haft.cjs", 'console.log("old");//0123456789abcdef');
    save();
    write("haft.cjs", 'console.log("new");//fedcba9876543210');
    expect(load()).toBe("new\n");
  });

  it("is used if it was made from this one", () => {
    write("haft.cjs", 'console.log("old");//0123456789abcdef');
    save();
    // The loader compares only the stamp, so this shows that the code comes from the cache.
    write("haft.cjs", 'console.log("new");//0123456789abcdef');
    expect(load()).toBe("old\n");
  });

  it.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["empty", () => Buffer.alloc(0)],
    ["something else", (bytes: Buffer) => Buffer.alloc(bytes.length, 7)],
  ])("does no harm when it is %s", (_what, damage) => {
    write("haft.cjs", 'console.log("ran");//0123456789abcdef');
    save();
    writeFileSync(compiledName(entry), damage(readFileSync(compiledName(entry))));
    expect(load()).toBe("ran\n");
  });

  it("leaves libraries to Node, because their imports may be dynamic", () => {
    write(
      "haft.cjs",
      'require("./lib-x.cjs").load("node:path").then((m) => console.log(typeof m.join));//0123456789abcdef',
    );
    write("lib-x.cjs", "exports.load = (name) => import(name);//0123456789abcdef");
    save();
    expect(load()).toBe("function\n");
  });

  it("a file can be read again after a failed read", () => {
    const source = `const { writeFileSync } = require("node:fs");
      try { require("./later.cjs"); } catch (error) { console.log(error.code); }
      writeFileSync(__dirname + "/later.cjs", "exports.said = 1;//0123456789abcdef");
      console.log(require("./later.cjs").said);
      require("node:fs").rmSync(__dirname + "/later.cjs");//0123456789abcdef`;
    write("haft.cjs", source);
    save();
    expect(load()).toBe("ENOENT\n1\n");
  });
});

describe("a Node that caches compiled code itself", () => {
  const PRELOAD = 'require("node:module").enableCompileCache = (folder) => console.log(folder);';

  it.each([
    [{ XDG_CACHE_HOME: "/caches", HOME: "/home/me" }, "/caches/haft/compiled\n"],
    [{ XDG_CACHE_HOME: "", HOME: "/home/me" }, "/home/me/.cache/haft/compiled\n"],
    [{ XDG_CACHE_HOME: "caches", HOME: "/home/me" }, "/home/me/.cache/haft/compiled\n"],
    [{ XDG_CACHE_HOME: "", HOME: "" }, ""],
    [{ XDG_CACHE_HOME: "", HOME: "here" }, ""],
  ])("with %j it is %j: never a folder of the project", (env, said) => {
    write("haft.cjs", "");
    write("preload.cjs", PRELOAD);
    expect(load(["-r", join(folder, "preload.cjs")], env)).toBe(said);
  });

  it("an unknown user has none, and the command runs", () => {
    write("haft.cjs", 'console.log("ran")');
    write("preload.cjs", `${PRELOAD} require("node:os").homedir = () => { throw new Error("ENOENT"); };`);
    expect(load(["-r", join(folder, "preload.cjs")], { XDG_CACHE_HOME: "" })).toBe("ran\n");
  });
});

it.each([{}, { HAFT_DEBUG: "1" }])("the command runs from a folder of any name, with %j", (env) => {
  const home = join(folder, "a #b %41?c");
  cpSync(BIN, join(home, "bin"), { recursive: true });
  mkdirSync(join(home, "dist/bundle"), { recursive: true });
  for (const file of ["main.js", "bundle/haft.cjs"])
    writeFileSync(join(home, "dist", file), 'console.log("ran")');
  expect(node([join(home, "bin/haft.js")], env)).toBe("ran\n");
});

function write(name: string, source: string): void {
  writeFileSync(join(folder, name), source);
}

function save(): void {
  node([SAVING, LOADER, entry]);
}

function load(options: readonly string[] = [], env: Readonly<Record<string, string>> = {}): string {
  return node([...options, "-e", "require(process.argv[1]).loadBundle(process.argv[2])", LOADER, entry], env);
}

function node(args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const { HAFT_DEBUG: _, ...inherited } = process.env;
  return execFileSync(process.execPath, args, {
    env: { ...inherited, ...env },
    cwd: folder,
    encoding: "utf8",
  });
}
