import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inTerminal } from "./fixtures/pty-session.js";
import { runHaft } from "./fixtures/run-haft.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-broken-packs-")));
  write("a.txt", "hello\n");
  pack("good", tool("good"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const haft = (...args: string[]) => runHaft(args, { cwd: folder });

// A configuration names packs for every later session, so a broken pack must not affect the others.
describe("FP7 a broken pack in the configuration is skipped with a warning", () => {
  it.each([
    [
      "throws on import",
      'throw new Error("no licence key");',
      "acme-bad could not be imported: no licence key. Remove it from the list of packs, or correct ",
    ],
    [
      "imports a package that is missing",
      'import "acme-absent";',
      "acme-bad could not be imported: Cannot find package 'acme-absent'",
      "Install what it imports: cd ",
    ],
    [
      "accepts a text instead of an object",
      tool("bad", { input: { type: "string" } }),
      'acme-bad: the input of bad is wrong: it accepts "string", but the arguments of a call are an object.',
    ],
    [
      "never finishes its import",
      "await new Promise(() => {});",
      "acme-bad could not be imported: its import never finishes. Remove it from the list of packs, or correct ",
    ],
    [
      "ends the process",
      'import { exit } from "node:process"; exit(0);',
      "acme-bad could not be imported: it tried to end the process. Remove it from the list of packs, or correct ",
    ],
    [
      "has an invalid schema",
      tool("bad", { input: { type: "objekt" } }),
      "acme-bad has an invalid schema for the input of bad: ",
    ],
    [
      "asks for more than its manifest",
      tool("bad", { permissions: ["DeleteFiles"] }),
      "acme-bad needs more permissions than its manifest lists: bad needs DeleteFiles. Its package.json lists ReadFiles in haft.permissions. Remove it",
    ],
    [
      "defines its tool wrongly",
      tool("bad", { permissions: "ReadFiles" }),
      'acme-bad: the definition of bad is wrong: permissions must be a list of permissions; got "ReadFiles". Remove it',
    ],
    [
      "takes the name of a pack's tool",
      tool("good"),
      "acme-bad defines good, which acme-good already defines. Keep only one of the two in the list of packs.",
    ],
    [
      "takes the name of one of Haft's",
      tool("read_file"),
      "acme-bad defines read_file, which @haft/tool-fs already defines. Keep only one of the two in the list of packs.",
    ],
    [
      "takes the name of a tool that sessions have",
      tool("find_tools"),
      "acme-bad defines find_tools, which @haft/agent already defines. Remove it from the list of packs, or rename its tool.",
    ],
    [
      "takes the name of a tool that editors get",
      tool("read_open_file"),
      "acme-bad defines read_open_file, which @haft/cli already defines. Remove it from the list of packs, or rename its tool.",
    ],
    [
      "needs a service",
      withService(tool("bad")),
      'acme-bad needs the service "acme.clock" for bad, which this host does not provide. Remove it from the list of packs, or use it in a program that provides the service.',
    ],
    [
      "declares its configuration with an invalid schema",
      withService(tool("bad"), { name: "packConfig.bad", section: "bad", schema: { type: "objekt" } }),
      "acme-bad has an invalid schema for packConfig.bad: ",
    ],
    [
      "registers nothing",
      "export {};",
      "acme-bad is not a pack: importing it registered no tools. Remove acme-bad from the list of packs.",
    ],
  ])("%s", async (_case, source, message, remedy = "") => {
    pack("bad", source);
    write("haft.json", JSON.stringify({ packs: ["./good", "./bad", "@haft/tool-fs"] }));
    const read = await haft("call", "read_file", '{"path":"a.txt"}', "--config", "haft.json");
    expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining("hello") });
    expect(read.stderr).toContain(`haft: skipped a pack: ${message}`);
    expect(read.stderr).toContain(remedy);
    expect(read.stderr.trimEnd().split("\n")).toHaveLength(1);
    const good = await haft("call", "good", "{}", "--config", "haft.json");
    expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining("own answer of good") });
  });

  it("throws on import, as the page on writing tools shows it", async () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/writing-tools.md"), "utf8");
    const manifest = { name: "acme-tools", version: "1.0.0", type: "module", exports: "./index.js" };
    write("node_modules/acme-tools/package.json", JSON.stringify(manifest));
    write("node_modules/acme-tools/index.js", 'throw new Error("no licence key");');
    write("haft.json", JSON.stringify({ packs: ["acme-tools", "./good"] }));
    const { stderr } = await haft("call", "good", "{}", "--config", "haft.json");
    expect(page).toContain(`\`\`\`text\n${stderr}\`\`\``);
  });

  it("is not installed, and two others never finish importing", async () => {
    pack("bad", "await new Promise(() => {});");
    pack("worse", "await new Promise(() => {});");
    write("haft.json", JSON.stringify({ packs: ["./bad", "acme-absent", "./worse", "./gone", "./good"] }));
    const { code, stdout, stderr } = await haft("call", "good", "{}", "--config", "haft.json");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("own answer") });
    const [bad, absent, worse, gone, ...more] = stderr.trimEnd().split("\n");
    expect(bad).toContain("acme-bad could not be imported: its import never finishes");
    expect(absent).toMatch(/acme-absent is not installed where .* Install it: npm install acme-absent$/);
    expect(worse).toContain("acme-worse could not be imported: its import never finishes");
    expect(gone).toMatch(/There is no package.json in .*gone/);
    expect(more).toEqual([]);
  });

  it("keeps its configuration, and rules and roles that name its tools, with a warning", async () => {
    pack("bad", 'throw new Error("no licence key");');
    write(
      "haft.json",
      JSON.stringify({
        packs: ["./good", "./bad", "@haft/tool-fs"],
        packConfig: { bad: { city: "Oslo" } },
        rules: [{ tool: "weather", effect: "deny", reason: "Not now." }],
        tools: { disabled: ["forecast"] },
      }),
    );
    const { code, stderr } = await haft("call", "good", "{}", "--config", "haft.json");
    expect(code).toBe(0);
    const [skipped, ...warnings] = stderr.trimEnd().split("\n");
    expect(skipped).toMatch(/^haft: skipped a pack/);
    expect(warnings).toEqual(
      ["weather", "forecast"].map(
        (name) =>
          `haft: a rule or role names the tool "${name}", which is not loaded; it may belong to ./bad, which was skipped`,
      ),
    );
  });

  it.each([
    ["a rule", { rules: [{ tool: "read_fiel", effect: "deny" }] }, "read_file"],
    [
      "a rule for a pack that is not loaded",
      { rules: [{ tool: "exectue_command", effect: "deny" }] },
      "execute_command",
    ],
    ["a disabled tool", { tools: { disabled: ["goood"] } }, "good"],
    ["a role", { role: { name: "mine", permissions: ["ReadFiles"], tools: ["read_fiel"] } }, "read_file"],
  ])("FE15 %s that misspells a known tool is still an error", async (_where, config, nearest) => {
    pack("bad", 'throw new Error("no licence key");');
    write("haft.json", JSON.stringify({ packs: ["./good", "./bad", "@haft/tool-fs"], ...config }));
    const { code, stderr } = await haft("call", "good", "{}", "--config", "haft.json");
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`ean ${nearest}?`) });
  });

  it.each([
    ["throws in a timer", 'setTimeout(() => { throw new Error("no network"); }, 0);', "acme-bad"],
    ["rejects a promise that nobody awaits", 'Promise.reject(new Error("no network"));', "acme-bad"],
    ["rejects it with a text", 'Promise.reject("no network");', "one of the packs ./good, ./bad"],
    [
      "starts a program that is missing",
      `import { spawn } from "node:child_process"; spawn("no network");`,
      "one of the packs ./good, ./bad",
    ],
    ["throws again and again", 'setInterval(() => { throw new Error("no network"); }, 0);', "acme-bad"],
  ])("and told about while it is used, because it %s after its import", async (_case, source, name) => {
    pack("bad", `${source}\n${tool("bad")}`);
    write("haft.json", JSON.stringify({ packs: ["./good", "./bad", "@haft/tool-fs"] }));
    for (const used of ["good", "bad"]) {
      const { code, stdout, stderr } = await haft("call", used, "{}", "--config", "haft.json");
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`own answer of ${used}`),
      });
      expect(stderr).toMatch(
        /^haft: .* failed outside of its calls: .*no network.*\. Remove it from the list of packs, or set containPacks to true\.\n$/,
      );
      expect(stderr).toContain(`haft: ${name} failed`);
    }
  });

  it("FP7 ends the process during a call: the command fails and names the cause", async () => {
    pack("bad", tool("bad").replace("return", "process.exit(0); return"));
    write("haft.json", JSON.stringify({ packs: ["./bad"] }));
    const ended = await haft("call", "bad", "{}", "--config", "haft.json");
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(/^haft: ENDED: a pack .*\nSet containPacks to true/);
    write("haft.json", JSON.stringify({ packs: ["./bad", "./good"], containPacks: true }));
    const contained = await haft("call", "bad", "{}", "--config", "haft.json");
    expect(contained.stderr).toContain("The process of bad ended before the call did");
  });

  it.each([
    ["a package of Haft", "@haft/kernel", true],
    ["a package that the pack imports", "acme-client", false],
  ])("an error outside its calls whose stack names only %s", async (_whose, name, isOurs) => {
    write(
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, type: "module", exports: "./index.js" }),
    );
    write(
      `node_modules/${name}/index.js`,
      'Promise.reject(new Error("lost")); setTimeout(() => { throw new Error("lost"); }, 0);',
    );
    pack("bad", `import "${name}";\n${tool("bad")}`);
    write("haft.json", JSON.stringify({ packs: ["./good", "./bad"] }));
    const { code, stderr } = await haft("call", "good", "{}", "--config", "haft.json");
    expect({ code, stderr }).toMatchObject(
      isOurs
        ? { code: 1, stderr: expect.not.stringContaining("failed outside of its calls") }
        : { code: 0, stderr: expect.stringContaining("./bad failed outside of its calls: lost") },
    );
    expect(stderr).toContain("lost");
  });

  it.each([
    ["on import", "for (;;);"],
    ["in a promise that nobody awaits", "Promise.resolve().then(() => { for (;;); });"],
  ])("loops %s: it is stopped and skipped", { timeout: 240_000 }, async (_where, loop) => {
    pack("bad", `${loop}\n${tool("bad")}`);
    write("haft.json", JSON.stringify({ packs: ["./good", "./bad"] }));
    const { code, stdout, stderr } = await haft("call", "good", "{}", "--config", "haft.json");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("own answer") });
    expect(stderr).toBe(
      `haft: skipped a pack: acme-bad could not be imported: its import blocked the process for 10 s. Remove it from the list of packs, or correct ${folder}/bad.\n`,
    );
  });

  it.each([
    ["in a timer", "setTimeout(() => { for (;;); });", tool("bad")],
    ["in a repeating timer", "setInterval(() => { for (;;); }, 200);", tool("bad")],
    ["in its call", "", tool("bad").replace("return", "for (;;); return")],
  ])("loops %s: the command ends and names the pack", async (_where, loop, bad) => {
    pack("bad", `${loop}\n${bad}`);
    const waits = "await new Promise((go) => setTimeout(go, 2000)); return";
    pack("slow", tool("slow", { timeoutMs: 3000 }).replace("return", waits));
    write("haft.json", JSON.stringify({ packs: ["./slow", "./bad"], limits: { callMs: 1000 } }));
    const called = loop === "" ? "bad" : "slow";
    expect(await haft("call", called, "{}", "--config", "haft.json")).toMatchObject({
      code: 1,
      stdout: "",
      stderr:
        "haft: BLOCKED: acme-bad blocked the process for 3 s, so the command was ended. Remove it from the list of packs, or set containPacks to true.\n",
    });
  });

  it("sets no time limit, or a huge one: its calls run", async () => {
    for (const timeoutMs of [2 ** 32, 3e9]) {
      pack("bad", tool("bad", { timeoutMs }).replace("return", BUSY));
      write("haft.json", JSON.stringify({ packs: ["./bad"] }));
      expect(await haft("call", "bad", "{}", "--config", "haft.json")).toMatchObject({ code: 0, stderr: "" });
    }
  });

  it("computes longer on import than a call may take: it is used", async () => {
    pack("bad", `const end = Date.now() + 3000; while (Date.now() < end);\n${tool("bad")}`);
    write("haft.json", JSON.stringify({ packs: ["./bad"], limits: { callMs: 1000 } }));
    expect(await haft("call", "bad", "{}", "--config", "haft.json")).toMatchObject({ code: 0, stderr: "" });
  });

  it("loops on import: Ctrl-C ends the command at once", async () => {
    pack("bad", `process.stderr.write("importing\\n"); for (;;);`);
    write("haft.json", JSON.stringify({ packs: ["./bad"] }));
    const session = inTerminal(["tools", "--config", "haft.json"], { cwd: folder });
    await session.until(/importing/);
    session.type("\u0003");
    expect(await session.ended).toBe(130);
  });

  it("leaves a timer running: the command still ends when it is done", async () => {
    pack("bad", `setInterval(() => {}, 1000);\n${tool("bad")}`);
    write("haft.json", JSON.stringify({ packs: ["./bad"] }));
    const { code, stdout } = await haft("tools", "--config", "haft.json");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("bad") });
  });

  it("is named on the command line: an error instead of a warning", async () => {
    pack("bad", 'throw new Error("no licence key");');
    const { code, stderr } = await haft("tools", "--packs", "./good,./bad");
    expect(code).toBe(2);
    expect(stderr).toContain("PACK_FAILED: acme-bad could not be imported: no licence key");
  });

  it.each([
    [
      "never finishes",
      "await new Promise(() => {});",
      "PACK_FAILED: acme-bad could not be imported: its import never",
    ],
    [
      "needs a service",
      withService(tool("bad")),
      'PACK_FAILED: acme-bad needs the service "acme.clock" for bad',
    ],
    [
      "takes a name",
      tool("good"),
      "TOOL_CONFLICT: two tools are called good: one of acme-good, one of acme-bad.",
    ],
    [
      "takes a name of Haft's",
      tool("read_file"),
      "TOOL_CONFLICT: two tools are called read_file: one of acme-bad, one of @haft/tool-fs.",
    ],
  ])("and so is one that %s", async (_case, source, message) => {
    pack("bad", source);
    const { code, stderr } = await haft("tools", "--packs", "./good,./bad,@haft/tool-fs");
    expect(code).toBe(2);
    expect(stderr.replaceAll("\n", " ")).toContain(message);
  });

  it("a configuration that never finishes is an error, not a silent success", async () => {
    write("haft.config.mjs", "await new Promise(() => {});");
    const { code, stderr } = await haft("tools", "--config", "haft.config.mjs");
    expect(code).toBe(1);
    expect(stderr).toContain("UNFINISHED");
  });
});

describe("FE15 rules for tools that are not loaded", () => {
  const tools = (config: object) => {
    write("haft.json", JSON.stringify(config));
    return haft("tools", "--config", "haft.json");
  };
  const denies = (tool: string) => ({ rules: [{ tool, effect: "deny" }] });

  it("may name only those of first-party packs and of MCP servers", async () => {
    const packs = ["./good", "@haft/tool-fs"];
    expect(await tools({ packs, ...denies("execute_command") })).toMatchObject({ code: 0, stderr: "" });
    const mcpServers = { jira: { command: process.execPath, args: ["-e", ""] } };
    expect((await tools({ packs, mcpServers, ...denies("jira_create") })).code).toBe(0);
    const unknown = await tools({ packs, ...denies("frobnicate") });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown tool "frobnicate"') });
  });

  it("may name those of packs and servers that an untrusted configuration lists", async () => {
    const config = { packs: ["acme-absent"], mcpServers: { jira: { command: "jira" } } };
    write("haft.config.json", JSON.stringify({ ...config, ...denies("weather") }));
    expect(await haft("tools")).toMatchObject({ code: 0, stderr: expect.stringContaining("haft trust") });
    write("haft.config.json", JSON.stringify({ ...config, ...denies("jira_create") }));
    expect((await haft("tools")).code).toBe(0);
    write("haft.config.json", JSON.stringify({ ...config, ...denies("exectue_command") }));
    expect((await haft("tools")).stderr).toContain("execute_command?");
  });
});

function pack(name: string, source: string): void {
  const haft = { pack: true, permissions: ["ReadFiles"] };
  const manifest = { name: `acme-${name}`, version: "1.0.0", type: "module", exports: "./index.js", haft };
  write(`${name}/package.json`, JSON.stringify(manifest));
  write(`${name}/index.js`, source);
}

/** Blocks a call for a second. */
const BUSY = "const end = Date.now() + 1000; while (Date.now() < end); return";

/** Returns the source of a pack with one tool that needs no copy of the kernel. */
function tool(name: string, definition: object = {}): string {
  const input = { type: "object", properties: {} };
  const whole = { name, summary: "Answer.", category: "x-acme", permissions: [], input, output: {} };
  return `export class Tool { async run() { return "own answer of ${name}"; } }
    Tool[Symbol.for("haft.tool-definition.v1")] = ${JSON.stringify({ ...whole, ...definition })};`;
}

/** Makes the tool inject a missing service, or a section of the configuration. */
function withService(source: string, more: object = {}): string {
  const definition = 'Tool[Symbol.for("haft.tool-definition.v1")]';
  const service = { name: "acme.clock", ...more };
  return `${source}
    ${definition}.inject = [{ key: Symbol.for("acme.clock"), ...${JSON.stringify(service)} }];`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
