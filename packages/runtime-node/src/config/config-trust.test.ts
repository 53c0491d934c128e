import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { resolveRole } from "../roles/resolve-role.js";
import { ConfigTrust } from "./config-trust.js";
import { loadConfig } from "./load-config.js";

let workspace: string;
let env: Record<string, string>;
let trust: ConfigTrust;

beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-trust-")));
  workspace = join(folder, "workspace");
  mkdirSync(workspace);
  env = { XDG_STATE_HOME: join(folder, "state") };
  trust = new ConfigTrust(env);
});

afterEach(() => rmSync(dirname(workspace), { recursive: true, force: true }));

const put = (name: string, text: string) => {
  const file = join(workspace, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const load = () => loadConfig({ workspace, env });
const isTrusted = async () => (await load()).untrusted === undefined;
const decide = async (decision: "trusted" | "declined") => {
  const { untrusted } = await load();
  if (untrusted === undefined) throw new Error("it counts already");
  await trust.decide(untrusted.snapshot, decision);
};
const trustIt = () => decide("trusted");
const folder = () => join(env.XDG_STATE_HOME as string, "haft", "trust");

describe("FE6 trust in a configuration", () => {
  it("lets its exact content widen, and ends with any change", async () => {
    put("haft.config.json", '{"role": "admin"}');
    await trustIt();
    expect(await load()).toEqual({ config: { role: "admin" }, file: join(workspace, "haft.config.json") });
    put("haft.config.json", '{"role": "admin" }');
    expect(await isTrusted()).toBe(false);
    put("haft.config.json", '{"role": "admin"}');
    expect(await isTrusted()).toBe(true);
  });

  it("covers the role file", async () => {
    put(".haft/role.json", '{"name": "own", "permissions": ["NetworkAccess"]}');
    put("haft.config.json", '{"role": ".haft/role.json"}');
    await trustIt();
    expect(await isTrusted()).toBe(true);
    put(".haft/role.json", '{"name": "own", "permissions": ["NetworkAccess", "RunCode"]}');
    expect(await isTrusted()).toBe(false);
  });

  it("applies the role that was trusted, also if its file changes before it is used", async () => {
    put(".haft/role.json", '{"name": "own", "permissions": ["ReadFiles"]}');
    put("haft.config.json", '{"role": ".haft/role.json"}');
    await trustIt();
    const { config } = await load();
    put(".haft/role.json", '{"name": "own", "permissions": ["ReadFiles", "RunCode", "NetworkAccess"]}');
    expect(await resolveRole(config.role ?? "")).toEqual({ name: "own", permissions: ["ReadFiles"] });
  });

  it.each([
    ["import", 'import more from "./lib/more";', "lib/more.ts"],
    ["import with an extension of the other language", 'import more from "./lib/more.js";', "lib/more.ts"],
    ["require", 'const more = require("./lib/more.cjs");', "lib/more.cjs"],
    ["dynamic import", "const more = await import('./lib/more.mjs');", "lib/more.mjs"],
    ["export from", 'export * from "./lib/more.ts";', "lib/more.ts"],
    ["folder", 'import more from "./lib";', "lib/index.ts"],
    ["JSON", 'import more from "./lib/more.json";', "lib/more.json"],
    ["import after an apostrophe", "/* don't */ import more from './lib/more';", "lib/more.ts"],
    ["role", 'const role = ".haft/role.json";', ".haft/role.json"],
  ])("covers what a module names by %s", async (_how, line, file) => {
    const role = '{"name": "own", "permissions": []}';
    put(
      file,
      file.endsWith(".json") ? role : file.endsWith(".cjs") ? "module.exports = 1" : "export default 1;",
    );
    put("haft.config.ts", `${line}\nexport default { role: "reader" };`);
    await trustIt();
    expect((await load()).config).toEqual({ role: "reader" });
    put(file, file.endsWith(".json") ? `${role}\n` : "export default 2;");
    expect(await isTrusted()).toBe(false);
  });

  it("covers transitive imports, circular ones included, and a file that would be resolved instead", async () => {
    put("a.js", 'import "./b.js"; export default 1;');
    put("b.js", 'import "./a.js"; import "./lib/c.js";');
    put("lib/c.js", "");
    put("haft.config.ts", 'import "./a"; export default { role: "admin" };');
    await trustIt();
    expect(await isTrusted()).toBe(true);
    put("lib/c.js", "process.exit(1);");
    expect(await isTrusted()).toBe(false);
    put("lib/c.js", "");
    expect(await isTrusted()).toBe(true);
    put("lib/package.json", "{}");
    expect(await isTrusted()).toBe(true);
    put("a.ts", "export default 2;");
    expect(await isTrusted()).toBe(false);
  });

  it("covers files that the manifest of an imported folder names", async () => {
    put("lib/package.json", '{"main": "./real.js"}');
    put("lib/real.js", "");
    put("haft.config.ts", 'import "./lib"; export default { role: "admin" };');
    await trustIt();
    put("lib/real.js", "process.exit(1);");
    expect(await isTrusted()).toBe(false);
  });

  it("covers an installed package that the module imports, and its files", async () => {
    put("node_modules/@acme/preset/package.json", '{"main": "lib/main.js"}');
    put("node_modules/@acme/preset/lib/main.js", 'module.exports = require("./role");');
    put("node_modules/@acme/preset/lib/role.js", 'exports.role = "admin";');
    put("haft.config.ts", 'import preset from "@acme/preset"; export default { role: preset.role };');
    await trustIt();
    expect(await load()).toMatchObject({ config: { role: "admin" } });
    put("node_modules/@acme/preset/lib/role.js", "process.exit(1);");
    expect(await isTrusted()).toBe(false);
  });

  it.each([
    ["a script in another language", { command: "python3", args: ["tools/server.py"] }],
    ["a module of Python in a folder", { command: "python3", args: ["-m", "tools.server"] }],
    [
      "a script in the folder where the server starts",
      { command: "node", args: ["server.py"], cwd: "tools" },
    ],
    ["a module of Python", { command: "python3", args: ["-m", "server"], cwd: "tools" }],
    ["the value of an option", { command: "uv", args: ["--script=tools/server.py"] }],
    ["a line for a shell", { command: "sh", args: ["-c", "exec python3 'tools/server.py'; true"] }],
    ["a line that changes to a folder first", { command: "sh", args: ["-c", "cd tools && ./server.py"] }],
    ["words with quotes in them", { command: "sh", args: ["-c", "p''ython3 too\\ls/'server'.py"] }],
    ["the value of a short option", { command: "node", args: ["-r./tools/server.py", "x.js"] }],
    ["a path in a variable", { command: "node", env: { NODE_OPTIONS: "--require ./tools/server.py" } }],
    ["a folder of modules", { command: "python3", args: ["-m", "server"], env: { PYTHONPATH: "tools" } }],
    ["the program itself", { command: "./tools/server.py" }],
    ["the program, from where it starts", { command: "./server.py", cwd: "tools" }],
  ])("covers what a server runs: %s", async (_what, server) => {
    put("tools/server.py", "print(1)\n");
    put("haft.config.json", JSON.stringify({ mcpServers: { one: server } }));
    await trustIt();
    expect(await isTrusted()).toBe(true);
    put("tools/server.py", "print(2)\n");
    expect(await isTrusted()).toBe(false);
  });

  it.each([
    ["node", ["lib/server"], "lib/server.js"],
    ["node", ["lib/server"], "lib/server/index.js"],
    ["sh", ["-c", "cd lib && node server"], "lib/server.js"],
    ["npm", ["run", "server"], "package.json"],
    ["sh", ["-c", "exec make server"], "Makefile"],
  ])("covers a file that the command of a server does not name whole: %s %j", async (command, args, file) => {
    put(file, JSON.stringify({ scripts: { server: "node a" } }));
    put("haft.config.json", JSON.stringify({ mcpServers: { one: { command, args } } }));
    await trustIt();
    expect(await isTrusted()).toBe(true);
    put(file, JSON.stringify({ scripts: { server: "node b" } }));
    expect(await isTrusted()).toBe(false);
  });

  it("covers a program that is not text and too large for a configuration", async () => {
    put("bin/server", `\0${"x".repeat(2_000_000)}`);
    put("haft.config.json", '{"mcpServers": {"one": {"command": "./bin/server"}}}');
    await trustIt();
    expect(await isTrusted()).toBe(true);
    put("bin/server", `\0${"x".repeat(1_999_999)}y`);
    expect(await isTrusted()).toBe(false);
  });

  it("covers a server of any size: a bundle, or an installed package with many files", async () => {
    const big = `// ${"x".repeat(2_000_000)}\n`;
    put("bin/bundle.js", big);
    const names = Array.from({ length: 100 }, (_, index) => `./part-${index}.js`);
    for (const name of names) put(`node_modules/server/${name}`, "");
    put("node_modules/server/index.js", names.map((name) => `import "${name}";`).join("\n"));
    const run = (args: string) => ({ command: "node", args: [args] });
    const mcpServers = { one: run("bin/bundle.js"), two: run("node_modules/server/index.js") };
    put("haft.config.json", JSON.stringify({ mcpServers }));
    await trustIt();
    expect(await isTrusted()).toBe(true);
    put("bin/bundle.js", `${big}//`);
    expect(await isTrusted()).toBe(false);
  });

  it("refuses a huge program at once: each start would read it", async () => {
    put("bin/one", "");
    truncateSync(join(workspace, "bin", "one"), 2 ** 40);
    put("haft.config.json", '{"mcpServers": {"one": {"command": "./bin/one"}}}');
    const usedMs = measureProcessorTime();
    await expect(load()).rejects.toMatchObject({ code: "CONFIG_TOO_LARGE" });
    expect(usedMs()).toBeLessThan(2_000);
  });

  it.each(["./tools/server.py", "tools/server.py", "./tools/serve"])(
    "covers the server script that a module names: %s",
    async (script) => {
      put(script, "1\n");
      put("haft.config.ts", `export default { mcpServers: { a: { command: "sh", args: ["${script}"] } } };`);
      await trustIt();
      expect(await load()).toMatchObject({ config: { mcpServers: { a: { args: [script] } } } });
      put(script, "2\n");
      expect(await isTrusted()).toBe(false);
    },
  );

  it("does not cover a server script that a module computes", async () => {
    put("tools/server.py", "1\n");
    put(
      "haft.config.ts",
      'export default { mcpServers: { a: { command: "sh", args: ["too" + "ls/server.py"] } } };',
    );
    await trustIt();
    await expect(load()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("tools/server.py, which haft trust did not cover"),
    });
  });

  it("does not cover a role file that a module computes", async () => {
    put(".haft/role.json", '{"name": "own", "permissions": ["NetworkAccess"]}');
    put("haft.config.ts", 'export default { role: [".haft", "role"].join("/") + "." + "json" };');
    await trustIt();
    await expect(load()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("role.json"),
    });
  });

  it("belongs to one path: a copy elsewhere is not trusted", async () => {
    put("haft.config.json", '{"role": "admin"}');
    await trustIt();
    put("other/haft.config.json", '{"role": "admin"}');
    const other = await loadConfig({ workspace: join(workspace, "other"), env });
    expect(other.untrusted?.ignored).toHaveLength(1);
  });

  it("belongs to one path: neither a link to a trusted file elsewhere nor its later target is trusted", async () => {
    put("haft.config.ts", 'export default { role: "admin" };');
    await trustIt();
    const linked = join(workspace, "linked");
    mkdirSync(linked);
    symlinkSync("../haft.config.ts", join(linked, "haft.config.ts"));
    const loadLinked = () => loadConfig({ workspace: linked, env });
    const { untrusted } = await loadLinked();
    expect(untrusted?.isCode).toBe(true);
    if (untrusted !== undefined) await trust.decide(untrusted.snapshot, "trusted");
    expect(await loadLinked()).toMatchObject({ config: { role: "admin" } });
    rmSync(join(linked, "haft.config.ts"));
    put("other.ts", 'export default { role: "admin" };');
    symlinkSync("../other.ts", join(linked, "haft.config.ts"));
    expect((await loadLinked()).untrusted).toBeDefined();
  });

  it("is listed and revoked; a refusal is remembered for the same content", async () => {
    put("haft.config.json", '{"role": "admin"}');
    await decide("declined");
    expect((await load()).untrusted?.decision).toBe("declined");
    expect(await trust.list()).toEqual([]);
    await trustIt();
    const file = join(workspace, "haft.config.json");
    expect(await trust.list()).toMatchObject([{ file, decision: "trusted", files: [{ path: file }] }]);
    expect(await trust.revoke(file)).toBe(1);
    expect(await trust.revoke(file)).toBe(0);
    expect((await load()).untrusted?.decision).toBeUndefined();
  });

  it("is stored in a private file, and a record that others could write is ignored", async () => {
    put("haft.config.json", '{"role": "admin"}');
    await trustIt();
    const [name = ""] = readdirSync(folder());
    const record = join(folder(), name);
    expect(statSync(record).mode & 0o777).toBe(0o600);
    chmodSync(record, 0o622);
    expect(await isTrusted()).toBe(false);
    chmodSync(record, 0o600);
    expect(await isTrusted()).toBe(true);
    writeFileSync(record, '{"decision": "trusted"}');
    expect(await isTrusted()).toBe(false);
    expect(existsSync(workspace)).toBe(true);
  });

  it("rejects a file that names thousands of paths at once", async () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `"./${index}"`).join(",");
    put("haft.config.js", `export default [${names}]`);
    const usedMs = measureProcessorTime();
    await expect(load()).rejects.toMatchObject({ code: "CONFIG_TOO_LARGE" });
    expect(usedMs()).toBeLessThan(2_000);
  });
});
