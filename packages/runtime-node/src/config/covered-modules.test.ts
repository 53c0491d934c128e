import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigTrust } from "./config-trust.js";
import { loadConfig } from "./load-config.js";

let workspace: string;
let env: Record<string, string>;

beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-covered-")));
  workspace = join(folder, "workspace");
  mkdirSync(workspace);
  env = { XDG_STATE_HOME: join(folder, "state") };
});
afterEach(() => rmSync(dirname(workspace), { recursive: true, force: true }));

const put = (name: string, text: string) => {
  mkdirSync(dirname(join(workspace, name)), { recursive: true });
  writeFileSync(join(workspace, name), text);
};
const load = () => loadConfig({ workspace, env });
async function trustIt(): Promise<void> {
  const { untrusted } = await load();
  if (untrusted === undefined) throw new Error("it counts already");
  await new ConfigTrust(env).decide(untrusted.snapshot, "trusted");
}

describe("FE6 a trusted module loads nothing that was not trusted", () => {
  // Each hides the name of a file that the configuration depends on: writing that file after trust would widen the
  // role.
  it.each([
    ["import()", 'const part = "ther"; export default { role: (await import(`./o${part}.mjs`)).default };'],
    ["require", 'const part = "ther"; export default { role: require("./o" + part + ".mjs").default };'],
    [
      "createRequire",
      'import { createRequire } from "node:module"; export default { role: createRequire(import.meta.url)("./o" + "ther.json") };',
    ],
    [
      "a file URL",
      'const url = new URL("oth" + "er.mjs", import.meta.url); export default { role: (await import(url.href)).default };',
    ],
    [
      "node:fs",
      'import { readFileSync } from "node:fs"; export default { role: JSON.parse(readFileSync(import.meta.dirname + "/oth" + "er.json", "utf8")) };',
    ],
    [
      "process.getBuiltinModule",
      'export default { role: process.getBuiltinModule("fs").readFileSync("oth" + "er.json", "utf8") };',
    ],
    [
      "globalThis.process",
      'export default { role: globalThis.process.getBuiltinModule("fs").readFileSync("oth" + "er.json", "utf8") };',
    ],
    [
      "node:child_process",
      'import { execSync } from "node:child_process"; export default { role: `${execSync("cat ot*")}` };',
    ],
    ["eval", "export default { role: (await eval(\"import('./oth' + 'er.mjs')\")).default };"],
    ["fetch", 'export default { role: await (await fetch("data:text/plain,admin")).text() };'],
  ])("by %s", async (_how, text) => {
    put("other.mjs", 'export default "admin";');
    put("other.json", '"admin"');
    put("haft.config.ts", text);
    await trustIt();
    await expect(load()).rejects.toMatchObject({
      code: expect.stringMatching(/^CONFIG_(INVALID|MALFORMED)$/),
    });
  });

  it("names the file or module and the remedy", async () => {
    put("lib/other.mjs", 'export default "admin";');
    put(
      "haft.config.ts",
      'const name = "other"; export default { role: (await import("./lib/" + name + ".mjs")).default };',
    );
    await trustIt();
    await expect(load()).rejects.toMatchObject({
      message: expect.stringMatching(/imports .*lib\/other\.mjs, which haft trust did not cover/),
      hint: expect.stringContaining("--config"),
    });
    put("haft.config.ts", 'import "node:fs"; export default { role: "reader" };');
    await trustIt();
    await expect(load()).rejects.toMatchObject({ message: expect.stringContaining("imports node:fs") });
  });

  it("runs the trusted text, with TypeScript, circular imports, JSON, CommonJS, folders and installed packages", async () => {
    put("parts/a.ts", 'import { b } from "./b"; export const a: number = 1; export const sum = () => a + b;');
    put("parts/b.ts", 'import { a } from "./a"; export const b = 2; export const early = typeof a;');
    put("parts/role.json", '{"name": "own", "permissions": ["ReadFiles"]}');
    put("parts/old.cjs", 'const { join } = require("node:path"); exports.name = join("a", "b");');
    put("folder/index.js", "export default 7;");
    put("node_modules/shared/package.json", '{"name":"shared","type":"module","exports":"./main.js"}');
    put("node_modules/shared/main.js", "export const limit = 9;");
    put(
      "haft.config.ts",
      `import { defineConfig, type HaftConfig } from "@haft/runtime-node";
       import { sum } from "./parts/a";
       import role from "./parts/role.json" with { type: "json" };
       import old from "./parts/old.cjs";
       import seven from "./folder";
       import { limit } from "shared";
       const config: HaftConfig = { role, limits: { callMs: sum() + seven + limit }, knownSecrets: [\`\${old.name}-\${typeof process.env.PATH}\`] };
       export default defineConfig(config);`,
    );
    await trustIt();
    expect((await load()).config).toEqual({
      role: { name: "own", permissions: ["ReadFiles"] },
      limits: { callMs: 19 },
      knownSecrets: ["a/b-string"],
    });
  });

  it("a program that vouches for the file, or --config, is not limited", async () => {
    put("other.json", '"admin"');
    put(
      "haft.config.ts",
      'import { readFileSync } from "node:fs"; export default { role: JSON.parse(readFileSync(import.meta.dirname + "/other" + ".json", "utf8")) };',
    );
    expect((await loadConfig({ workspace, env, trustFound: true })).config).toEqual({ role: "admin" });
    expect((await loadConfig({ workspace, env, file: join(workspace, "haft.config.ts") })).config).toEqual({
      role: "admin",
    });
  });
});

describe("FE6 trust in a JSON configuration covers the programs it starts", () => {
  it.each([
    ["a pack in the workspace", { packs: ["./pack"] }, "pack/index.js"],
    ["what such a pack imports", { packs: ["./pack"] }, "pack/lib.js"],
    ["the manifest of such a pack", { packs: ["./pack"] }, "pack/package.json"],
    [
      "the script of a server",
      { mcpServers: { own: { command: "node", args: ["tools/server.mjs"] } } },
      "tools/server.mjs",
    ],
    [
      "a program in the workspace",
      { mcpServers: { own: { command: "./tools/server.mjs" } } },
      "tools/server.mjs",
    ],
  ])("%s", async (_what, config, changed) => {
    put("pack/package.json", '{"name":"pack","type":"module","exports":"./index.js","haft":{"pack":true}}');
    put("pack/index.js", 'import "./lib.js"; import "@haft/core";');
    put("pack/lib.js", "export {};");
    put("tools/server.mjs", "export {};");
    put("haft.config.json", JSON.stringify(config));
    await trustIt();
    expect((await load()).untrusted).toBeUndefined();
    put(
      changed,
      changed.endsWith("json") ? '{"name":"pack","exports":"./lib.js"}' : "export const evil = 1;",
    );
    expect((await load()).untrusted).toBeDefined();
  });
});
