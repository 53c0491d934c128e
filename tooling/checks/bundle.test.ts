import { isAscii } from "node:buffer";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Script } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assertBuilt } from "./built.js";
import { ROOT } from "./source-files.js";

const run = promisify(execFile);
const NAMED = ["--config", "haft.config.ts"];
const BUNDLE = join(ROOT, "packages/cli/dist/bundle");
const { readCompiled } = createRequire(import.meta.url)(join(ROOT, "packages/cli/bin/load-bundle.js")) as {
  readCompiled(file: string): { readonly script: Script };
};

// The bundle must still find libraries, threads, files beside a module, and packs from elsewhere.
describe("the bundled command", () => {
  let folder: string;
  let site: Server;

  beforeAll(async () => {
    assertBuilt("cli");
    folder = mkdtempSync(join(tmpdir(), "haft-bundle-"));
    site = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<h1>Title</h1><p>Some <b>bold</b> words</p>");
    });
    await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
    const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    writeFileSync(
      join(folder, "haft.config.ts"),
      `import { sep } from "node:path";\nimport { defineConfig } from "@haft/runtime-node";\nif (sep === "") throw sep;\nexport default defineConfig({ web: { origins: [${JSON.stringify(origin)} as string] } });\n`,
    );
    writeFileSync(join(folder, "latin.txt"), Buffer.from("caf\xe9 d\xe9j\xe0 vu\n", "latin1"));
    writeFileSync(join(folder, "code.txt"), "one\ntwo\n");
  });
  afterAll(() => {
    site.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("has compiled code beside the files that every call needs, made under the flags of a normal start", () => {
    for (const name of ["haft.cjs", "runtime.cjs"]) {
      const file = join(BUNDLE, name);
      expect(readCompiled(file).script.cachedDataRejected).toBe(false);
    }
  });

  it("is ASCII, so that Node reads it without decoding", () => {
    const scripts = readdirSync(BUNDLE).filter((name) => name.endsWith(".cjs"));
    expect(scripts.length).toBeGreaterThan(10);
    for (const name of scripts) expect(isAscii(readFileSync(join(BUNDLE, name)))).toBe(true);
  });

  it("lists the same tools as the unbundled code", async () => {
    const bundled = await haft(["tools", "--json"]);
    expect(bundled.length).toBeGreaterThan(15);
    expect(bundled).toEqual(await haft(["tools", "--json"], { HAFT_DEBUG: "1" }));
  });

  it("reads legacy encodings, with a library that is loaded on first use", async () => {
    expect(await call("read_file", { path: "latin.txt" })).toMatchObject({
      value: { content: "café déjà vu\n", encoding: "windows-1252" },
    });
  });

  it("replaces by regular expression", async () => {
    const args = { path: "code.txt", find: "(t)wo", replace: "$1hree", is_regex: true };
    expect(await call("replace_in_file", args, "--dry-run")).toMatchObject({ value: { replacements: 1 } });
  });

  it("parses and runs commands", async () => {
    expect(await call("execute_command", { command: "ls *.txt | wc -l" })).toMatchObject({
      value: { exitCode: 0 },
    });
  });

  it("converts pages to Markdown in a thread of its own", async () => {
    const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const { text } = await call(
      "web_fetch",
      { url: `${origin}/` },
      "--approve",
      "all",
      "--role",
      "researcher",
    );
    expect(text).toContain("# Title");
    expect(text).toContain("**bold**");
  });

  it("searches folders that are large enough for threads", async () => {
    for (let index = 0; index < 3000; index += 1) {
      const below = join(folder, "many", String(index % 30));
      if (index < 30) mkdirSync(below, { recursive: true });
      writeFileSync(join(below, `${index}.txt`), `needle ${index}\n`);
    }
    expect(await call("grep", { pattern: "needle 29\\d\\d", path: "many" })).toMatchObject({
      value: { totalMatches: 100 },
    });
  });

  async function call(tool: string, args: object, ...options: string[]) {
    return haft(["call", tool, JSON.stringify(args), "--json", ...options]);
  }

  async function haft(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const options = { cwd: folder, env: { ...process.env, XDG_STATE_HOME: `${folder}/.state`, ...env } };
    const ran = run(process.execPath, [join(ROOT, "packages/cli/bin/haft.js"), ...args, ...NAMED], options);
    const { stdout } = await ran.catch((error: { stdout: string }) => error);
    return JSON.parse(stdout);
  }
});
