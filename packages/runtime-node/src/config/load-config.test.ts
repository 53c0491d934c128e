import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Given, type JsonSchema, ToolError } from "@haft/core";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { resolveRole } from "../roles/resolve-role.js";
import { ConfigError } from "./config-error.js";
import { configSchema } from "./config-schema.js";
import { defineConfig, type HaftConfig } from "./haft-config.js";
import { loadConfig } from "./load-config.js";

let workspace: string;

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "haft-config-")));
});

afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(workspace, name), text);
const refusal = (file?: string) =>
  loadConfig({ trustFound: true, workspace, ...(file === undefined ? {} : { file }) }).then(
    () => expect.unreachable("it was taken"),
    (thrown: ConfigError) => thrown,
  );

it("FE6 a dangling configuration link is an error: its restrictions would be lost", async () => {
  symlinkSync("gone.json", join(workspace, "haft.config.json"));
  for (const trustFound of [true, false])
    await expect(loadConfig({ workspace, trustFound })).rejects.toMatchObject({
      code: expect.stringMatching(/^CONFIG_/),
      message: expect.stringContaining("haft.config.json"),
    });
});

/** The example in the documentation, with every key. */
const everything: HaftConfig = {
  $schema: "./node_modules/@haft/runtime-node/src/config/haft.config.schema.json",
  role: {
    name: "own",
    permissions: ["ReadFiles"],
    tools: ["grep"],
    rules: [{ effect: "deny", when: { path: "x/**" } }],
  },
  packs: ["@haft/tool-fs", "@haft/tool-search"],
  containPacks: true,
  packConfig: { weather: { city: "Oslo" } },
  readBeforeWrite: "enforce",
  model: "gpt-5",
  baseUrl: "http://127.0.0.1:11434/v1",
  effort: "high",
  contextTokens: 128_000,
  prices: { inputPerMillion: 1.25, outputPerMillion: 10 },
  run: { maxSteps: 50, maxMinutes: 30, maxTokens: 1_000_000, maxCost: 5, retryMinutes: 10 },
  commands: { allow: ["ls", "git status"], env: ["CI"], onUnlisted: "deny" },
  web: {
    origins: ["http://127.0.0.1:8080"],
    hosts: ["example.com"],
    ports: [80, 443],
    onUnlisted: "ask",
    search: { provider: "searxng", url: "http://x" },
  },
  sandbox: {
    tier: "auto",
    memoryMb: 1024,
    processes: 128,
    cpuSeconds: 60,
    fileSizeMb: 512,
    outputBytes: 100_000,
  },
  limits: { grepFileBytes: 1_048_576, grepFileMs: 5_000, callMs: 30_000, maxDepth: 20, readBytes: 51_200 },
  paths: { sensitive: ["*.pem"], protected: [".git/hooks/**"] },
  approvals: { timeoutMs: 300_000 },
  rules: [
    { effect: "ask", tool: "grep", when: { argument: { name: "pattern", oneOf: ["x", 1] } }, reason: "why" },
  ],
  roles: ["reviewer"],
  tools: { disabled: ["web_fetch"] },
  secretShapes: [{ name: "acme", prefix: "acme_", minLength: 32 }],
  knownSecrets: ["hunter2"],
  mcpServers: {
    files: {
      command: "npx",
      args: ["-y", "x"],
      env: { TOKEN: "${TOKEN}" },
      cwd: ".",
      tools: ["a"],
      timeoutMs: 1,
    },
    "far-away": { url: "https://example.com/mcp", headers: { authorization: "Bearer ${TOKEN}" } },
  },
};

describe("loadConfig", () => {
  it("accepts every documented key from JSON, TypeScript and JavaScript", async () => {
    put("haft.config.json", JSON.stringify(everything));
    expect(await loadConfig({ trustFound: true, workspace })).toEqual({
      config: everything,
      file: join(workspace, "haft.config.json"),
    });
    put("haft.config.js", `module.exports = ${JSON.stringify({ role: "reader" })};`);
    expect(await loadConfig({ trustFound: true, workspace })).toMatchObject({ config: { role: "reader" } });
    put(
      "haft.config.ts",
      `import { defineConfig } from "@haft/runtime-node";
       type Role = string;
       const role: Role = "editor";
       export default defineConfig({ role, limits: { callMs: 5 } });`,
    );
    expect(await loadConfig({ trustFound: true, workspace })).toEqual({
      config: { role: "editor", limits: { callMs: 5 } },
      file: join(workspace, "haft.config.ts"),
    });
  });

  it("a role file is resolved relative to the configuration", async () => {
    mkdirSync(join(workspace, ".haft"));
    put(".haft/role.json", '{"name": "own", "permissions": []}');
    put("haft.config.json", '{"role": ".haft/role.json"}');
    const { config } = await loadConfig({ trustFound: true, workspace });
    expect(config.role).toBe(join(workspace, ".haft/role.json"));
    expect(await resolveRole(config.role as string)).toMatchObject({ name: "own" });
  });

  it.each([
    ["no way to it", { x: {} }, '"x": give a "command" to start or a "url" to reach'],
    [
      "two ways to it",
      { x: { command: "a", url: "http://b" } },
      '"x": give a "command" or a "url", not both',
    ],
    ["headers for a process", { x: { command: "a", headers: {} } }, '"headers" is for a url'],
    ["arguments for an address", { x: { url: "http://b", args: [] } }, '"args" is for a command'],
    ["another scheme", { x: { url: "file:///etc" } }, "must begin with http://"],
    ["a password in the address", { x: { url: "http://me:hunter2@b" } }, "must not hold a password"],
    [
      "a name that no tool can begin with",
      { "My Server": { command: "a" } },
      '"My Server": a name is at most',
    ],
    [
      "a misspelt key",
      { x: { comand: "a" } },
      'mcpServers.x: "comand" is not a known key; did you mean "command"?',
    ],
    ["a value that is no text", { x: { command: "a", env: { KEY: { s: "hunter2" } } } }, "env.KEY: "],
    ["a value of the wrong type", { x: { command: "a", args: "hunter2" } }, "mcpServers.x.args: "],
  ])("a server with %s is a clear error without secrets", async (_name, mcpServers, message) => {
    put("haft.config.json", JSON.stringify({ mcpServers }));
    const error = await refusal();
    expect(error).toMatchObject({ code: "CONFIG_INVALID", message: expect.stringContaining(message) });
    expect(error.message).not.toContain("hunter2");
  });

  it("reads a changed file again", async () => {
    put("haft.config.js", "export default { role: 'reader' };");
    expect((await loadConfig({ trustFound: true, workspace })).config.role).toBe("reader");
    put("haft.config.js", "export default { role: 'editor' };");
    expect((await loadConfig({ trustFound: true, workspace })).config.role).toBe("editor");
  });

  it("a workspace without one has the defaults; a named file must exist", async () => {
    expect(await loadConfig({ trustFound: true, workspace })).toEqual({ config: {}, file: undefined });
    expect(await loadConfig({ trustFound: true, workspace: join(workspace, "nowhere") })).toEqual({
      config: {},
      file: undefined,
    });
    expect(await refusal(join(workspace, "none.json"))).toMatchObject({ code: "CONFIG_NOT_FOUND" });
    put("other.json", '{"role":"admin"}');
    expect(
      (await loadConfig({ trustFound: true, workspace, file: join(workspace, "other.json") })).config,
    ).toEqual({
      role: "admin",
    });
  });

  it.each<[string, string, RegExp]>([
    ["a misspelt key", '{"rol": "reader"}', /"rol" is not a known key; did you mean "role"/],
    [
      "a misspelt key below",
      '{"limits": {"callms": 1}}',
      /limits: "callms" is not a known key; did you mean "callMs"/,
    ],
    [
      "a misspelt key in a list",
      '{"rules": [{"effect": "ask", "tol": "x"}]}',
      /rules\.0: "tol".*did you mean "tool"/,
    ],
    [
      "a misspelt key in a role",
      '{"role": {"name": "a", "permissions": [], "tols": []}}',
      /role: "tols".*did you mean "tools"/,
    ],
    ["a key nobody could mean", '{"qwertyuiop": 1}', /the keys here are \$schema, role, packs/],
    ["a wrong type", '{"packs": "all"}', /packs: must be array, not "all"/],
    [
      "a wrong choice",
      '{"readBeforeWrite": "sometimes"}',
      /must be one of "enforce", "approve", "off", not "sometimes"/,
    ],
    ["a limit of zero", '{"limits": {"callMs": 0}}', /limits\.callMs: must be >= 1/],
    ["no object", "[]", /must be object/],
    ["null", "null", /must be object/],
    ["a prototype key", '{"__proto__": {"role": "admin"}}', /"__proto__" is not a known key/],
    [
      "a constructor key",
      '{"constructor": {"prototype": {"role": "admin"}}}',
      /"constructor" is not a known key/,
    ],
    ["a rule without effect", '{"rules": [{}]}', /rules\.0: "effect" is missing/],
    ["a short secret", '{"knownSecrets": ["a"]}', /knownSecrets\.0: must NOT have fewer than 4 characters$/],
  ])("refuses %s", async (_name, text, told) => {
    put("haft.config.json", text);
    const error = await refusal();
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ code: "CONFIG_INVALID", message: expect.stringMatching(told) });
    expect(error.message).not.toContain(" at ");
    expect(({} as HaftConfig).role).toBeUndefined();
  });

  it.each<[string, string]>([
    [
      '{"role": {"name": "a", "permissions": [], "rules": [{"effect": "dny"}]}}',
      "role.rules.0.effect: must be one of",
    ],
    [
      '{"role": {"name": "a", "permissions": ["Write"]}}',
      'role.permissions.0: "Write" is not a permission; did you mean "WriteFiles"?',
    ],
    ['{"role": {"name": "a", "permissions": [], "tols": []}}', 'role: "tols" is not a known key'],
    [
      '{"rules": [{"effect": "deny", "when": {"path": {"onyl": "a"}}}]}',
      'rules.0.when.path: "onyl" is not a known key',
    ],
  ])("FE15 names only the real problem: %s", async (text, told) => {
    put("haft.config.json", text);
    const { message } = await refusal();
    expect(message).toContain(told);
    expect(message.split("\n")).toHaveLength(1);
  });

  it("reports at most eight problems, each with a short quote", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`unknown_${index}_${"x".repeat(500)}`, 1]),
    );
    put("haft.config.json", JSON.stringify(many));
    const { message } = await refusal();
    expect(message).toContain("and 42 more");
    expect(message.length).toBeLessThan(4_000);
  });

  it("rejects files that are not JSON, not text, too large or too deeply nested, and non-files", async () => {
    put("haft.config.json", "{ role: reader }");
    expect(await refusal()).toMatchObject({ code: "CONFIG_MALFORMED" });
    writeFileSync(join(workspace, "haft.config.json"), Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    expect(await refusal()).toMatchObject({
      code: "CONFIG_MALFORMED",
      message: expect.stringContaining("UTF-8"),
    });
    put("haft.config.json", `"${"x".repeat(1024 * 1024)}"`);
    expect(await refusal()).toMatchObject({ code: "CONFIG_TOO_LARGE" });
    put("haft.config.json", `{"rules": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
    expect(await refusal()).toMatchObject({ code: "CONFIG_INVALID" });
    rmSync(join(workspace, "haft.config.json"));
    mkdirSync(join(workspace, "haft.config.json"));
    expect(await refusal()).toMatchObject({ code: "CONFIG_UNREADABLE" });
  });

  it("does not wait for a named pipe, and reports a file it may not read", async () => {
    execFileSync("mkfifo", [join(workspace, "haft.config.json")]);
    expect(await refusal()).toMatchObject({
      code: "CONFIG_UNREADABLE",
      message: expect.stringContaining("regular file"),
    });
    rmSync(join(workspace, "haft.config.json"));
    if (process.getuid?.() === 0) return;
    put("haft.config.json", "{}");
    chmodSync(join(workspace, "haft.config.json"), 0);
    expect(await refusal()).toMatchObject({ code: "CONFIG_UNREADABLE" });
  });

  it.each<[string, string, string]>([
    ["does not parse", "export default {", "CONFIG_MALFORMED"],
    ["throws", "throw new Error('no database'); export default {}", "CONFIG_MALFORMED"],
    ["imports what is not there", "import 'no-such-package'; export default {}", "CONFIG_MALFORMED"],
    ["exports nothing", "export const config = 1;", "CONFIG_INVALID"],
    ["exports a number", "export default 7;", "CONFIG_INVALID"],
    ["exports null", "export default null;", "CONFIG_INVALID"],
    ["holds a function", "export default { role: () => 'reader' };", "CONFIG_INVALID"],
    ["has a key that is not known", "export default { rol: 'reader' };", "CONFIG_INVALID"],
  ])("a TypeScript configuration that %s is a clear error", async (_name, text, code) => {
    put("haft.config.ts", text);
    const error = await refusal();
    expect(ToolError.is(error)).toBe(true);
    expect(error.code).toBe(code);
    expect(error.message.split("\n")).toHaveLength(1);
  });
});

describe("the schema of the configuration", () => {
  it("is shipped as a file for editors, identical to the schema that validates", () => {
    const file = JSON.parse(readFileSync(new URL("./haft.config.schema.json", import.meta.url), "utf8"));
    expect(file).toEqual(JSON.parse(JSON.stringify(configSchema)));
  });

  it("has the keys of the type", () => {
    expect(Object.keys(configSchema.properties as object).sort()).toEqual(Object.keys(everything).sort());
    expectTypeOf(defineConfig({ role: "reader" })).toEqualTypeOf<HaftConfig>();
    // @ts-expect-error a key that is not known
    defineConfig({ rol: "reader" });
    expectTypeOf<Given<JsonSchema>>().not.toBeNever();
  });
});
