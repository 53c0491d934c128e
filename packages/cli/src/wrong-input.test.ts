import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// The first command imports every pack from source.
vi.setConfig({ testTimeout: 60_000 });

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeAll(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n" });
});
afterAll(() => workspace.remove());

// The environment of the test run may configure a model.
const NO_MODEL = Object.fromEntries(
  ["HAFT", "OPENAI"].flatMap((who) => ["BASE_URL", "API_KEY", "MODEL"].map((what) => [`${who}_${what}`, ""])),
);
const haft = (
  args: readonly string[],
  { input, env }: { input?: string | Uint8Array; env?: Record<string, string> } = {},
) =>
  runInProcess(args, {
    cwd: workspace.folder,
    env: { ...NO_MODEL, ...env },
    ...(input !== undefined && { input }),
  });

describe("hostile and wrong input", () => {
  it.each([
    ["malformed JSON", "{oops"],
    ["a list", "[1]"],
    ["__proto__", '{"path":"a.txt","__proto__":{"x":1}}'],
    ["100 levels", `{"path":${"[".repeat(100)}${"]".repeat(100)}}`],
    ["a wrong type", '{"path":7}'],
  ])("%s as arguments is INVALID_ARGUMENTS, exit 1", async (_name, args) => {
    const { code, json, stderr } = await haft(["call", "read_file", "-", "--json"], { input: args });
    expect(code).toBe(1);
    expect(json()).toMatchObject({ ok: false, error: { code: "INVALID_ARGUMENTS" } });
    expect(stderr).not.toContain("    at ");
  });

  it("rejects arguments that are not UTF-8, because other bytes would be written", async () => {
    const input = Buffer.from('{"path":"f.txt","content":"\xff\xfe"}', "latin1");
    const { code, json } = await haft(["call", "write_file", "-", "--json", "--approve", "all"], { input });
    expect(code).toBe(2);
    expect(json()).toMatchObject({
      ok: false,
      error: { code: "INVALID_ARGUMENTS", message: "The arguments on standard input are not UTF-8" },
    });
    expect(existsSync(join(workspace.folder, "f.txt"))).toBe(false);
  });

  it("ha-903 names the nearest tool for a misspelt one, exit 1", async () => {
    const { code, json } = await haft(["call", "read_fil", "{}", "--json"]);
    expect(code).toBe(1);
    expect(json().error).toMatchObject({
      code: "TOOL_NOT_FOUND",
      hint: expect.stringContaining("read_file"),
    });
  });

  it("ha-903 an error names the remedy; an unknown tool is a usage error, also as JSON", async () => {
    const refused = await haft(["policy", "explain", "read_file", "{"]);
    expect([refused.code, refused.stdout]).toEqual([0, expect.stringContaining("Send one JSON object")]);
    const unknown = await haft(["policy", "explain", "red_file", "{}", "--json"]);
    expect([unknown.code, unknown.json()]).toMatchObject([
      2,
      { effect: "deny", steps: [{ passed: false, code: "TOOL_NOT_FOUND", hint: "Did you mean read_file?" }] },
    ]);
    expect(unknown.stderr).toContain("haft: TOOL_NOT_FOUND: ");
  });

  it("a missing call cannot be undone: the error says where calls are listed, exit 1", async () => {
    const { code, stderr } = await haft(["undo", "nope"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("nope\nhaft changes lists the calls.")]);
  });

  it.each<[string, readonly string[], RegExp]>([
    ["a misspelt command", ["cal", "x"], /unknown command 'cal'\n\(Did you mean call\?\)/],
    ["a misspelt option", ["tools", "--rol", "x"], /unknown option '--rol'\n\(Did you mean --role\?\)/],
    ["no token for a server", ["mcp", "--token", "x"], /unknown option '--token'\nhaft mcp --help shows/],
    [
      "two ways to read a log",
      ["audit", "--export", "--verify"],
      /'--verify' cannot be used with .*'--export'/,
    ],
    ["a misspelt dialect", ["tools", "--dialect", "claud"], /Did you mean claude\?/],
    ["a misspelt role", ["tools", "--role", "codr"], /CONFIG_INVALID: .*\n.*Did you mean coder\?/],
    ["a wrong way to approve", ["call", "x", "--approve", "maybe"], /Allowed: ask, all, none/],
    ["a missing argument", ["call"], /missing required argument 'tool'\nhaft call --help shows the usage\./],
    ["an unknown command", ["bogus"], /unknown command 'bogus'\nhaft --help shows the usage\./],
    [
      "a misspelt tool to explain",
      ["policy", "explain", "red_file", "{}"],
      /^haft: TOOL_NOT_FOUND: There is no tool called "red_file"\nDid you mean read_file\?/,
    ],
    ["a command below another", ["policy", "explain"], /\nhaft policy explain --help shows the usage/],
    ["no URL, and no model", ["run", "x", "--base-url", "nonsense"], /INVALID_URL: "nonsense"/],
    ["a missing workspace", ["tools", "--workspace", "/nowhere"], /PATH_NOT_FOUND: .*\/nowhere/],
    [
      "a missing workspace of a journal",
      ["changes", "--workspace", "/nowhere"],
      /PATH_NOT_FOUND: .*\/nowhere/,
    ],
    ["a missing configuration", ["tools", "--config", "none.json"], /CONFIG_NOT_FOUND: /],
    ["a pack that is not there", ["tools", "--packs", "no-such-pack"], /PACK_NOT_INSTALLED: no-such-pack/],
    ["an empty list of packs", ["tools", "--packs", ","], /Name at least one package/],
    ["a port that is no number", ["console", "--port", "x"], /--port takes a number from 0 to 65535/],
    [
      "an empty workspace",
      ["tools", "--workspace", ""],
      /--workspace <dir>' argument '' is invalid. The value is empty/,
    ],
    ["an empty role", ["call", "x", "--role", ""], /The value is empty. Name a role/],
    ["no task", ["run", "", "--model", "x"], /NO_TASK: No task given/],
    ["no server", ["run", "do it", "--model", "x"], /NO_MODEL: [\s\S]*--base-url/],
    ["a provider without a model", ["run", "do it", "--model", "x/"], /NO_MODEL: "x\/" names no model/],
    [
      "a limit on cost without prices",
      ["run", "do it", "--base-url", "http://127.0.0.1:1", "--model", "x", "--max-cost", "1"],
      /NO_PRICES: [\s\S]*inputPerMillion/,
    ],
    ["no model", ["run", "do it", "--base-url", "http://127.0.0.1:1"], /NO_MODEL: [\s\S]*--model/],
    [
      "a server that is none",
      ["run", "x", "--model", "x", "--base-url", "file:///etc"],
      /INVALID_URL: "file:\/\/\/etc"/,
    ],
    ["no turns", ["run", "x", "--max-steps", "0"], /whole number above 0/],
    [
      "a run that is not there",
      ["run", "--resume", "last", "--model", "x", "--base-url", "http://127.0.0.1:1"],
      /RUN_NOT_FOUND: No session found/,
    ],
    ["a grant that is not there", ["policy", "revoke", "3f"], /GRANT_NOT_FOUND: .*\n.*haft policy grants/],
    [
      "a pack that is no folder",
      ["tools", "--packs", "./none"],
      /PACK_NOT_INSTALLED: There is no package.json/,
    ],
    ["a port that is none", ["mcp", "--http", "99999"], /--http/],
    ["a bad name for a tool", ["new", "tool", "../x"], /INVALID_NAME: /],
  ])("%s is told, exit 2, with nothing on stdout", async (_name, args, message) => {
    const { code, stdout, stderr } = await haft(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("    at ");
  });

  it("reports an unreadable, a broken and an unknown configuration", async () => {
    workspace.write("broken.json", "{");
    workspace.write("unknown.json", '{"rolle":"reader"}');
    expect((await haft(["tools", "--config", "broken.json"])).stderr).toContain("CONFIG_MALFORMED");
    const unknown = await haft(["tools", "--config", "unknown.json"]);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toMatch(/CONFIG_INVALID.*rolle[\s\S]*role/);
    expect((await haft(["tools", "--config", "."])).stderr).toMatch(/CONFIG_/);
  });

  it("reports an unknown tool named by a role, a rule or an option", async () => {
    const role = { name: "own", permissions: ["ReadFiles"] };
    workspace.write("role.json", JSON.stringify({ ...role, tools: ["raed_file"] }));
    const misspelt = await haft(["tools", "--role", "./role.json", "--workspace", workspace.folder]);
    expect(misspelt).toMatchObject({ code: 2, stdout: "" });
    workspace.write("typo.json", JSON.stringify({ role: { ...role, tools: ["raed_file"] } }));
    workspace.write("deny.json", JSON.stringify({ rules: [{ effect: "deny", tool: "kubernetes" }] }));
    workspace.write("off.json", JSON.stringify({ tools: { disabled: ["grpe"] } }));
    const told = async (file: string) => (await haft(["tools", "--config", file])).stderr;
    expect(await told("typo.json")).toMatch(
      /The role own names the unknown tool "raed_file"[\s\S]*mean read_file\?/,
    );
    expect(await told("deny.json")).toMatch(
      /A rule names the unknown tool "kubernetes"[\s\S]*The tools are /,
    );
    expect(await told("off.json")).toMatch(/disabled tools names the unknown tool "grpe"[\s\S]*mean grep\?/);
  });

  it("--json answers in JSON even if the call could not be made", async () => {
    const { code, json, stderr } = await haft([
      "call",
      "read_file",
      "{}",
      "--json",
      "--workspace",
      "/nowhere",
    ]);
    expect(code).toBe(2);
    expect(json()).toMatchObject({ ok: false, tool: "read_file", error: { code: "PATH_NOT_FOUND" } });
    expect(stderr).toContain("PATH_NOT_FOUND");
  });

  it.each([
    ["an option", ["--a\u001b[2J"]],
    ["a command", ["b\u009b31m\u202e"]],
    ["a value", ["call", "grep", "{}", "--dialect", "\u001b]52;c;eA==\u0007"]],
    ["an argument", ["completions", "\rgood"]],
  ])("te-901 %s that is refused is shown without control characters", async (_what, args) => {
    const { code, stderr } = await haft(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^haft: USAGE: .*\\[xur]/);
    expect(stderr.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
  });

  it("prints only the requested output", () => {
    expect(readdirSync(workspace.folder).filter((name) => name.startsWith("."))).toEqual([]);
    expect(existsSync(join(workspace.folder, "none.txt"))).toBe(false);
  });
});
