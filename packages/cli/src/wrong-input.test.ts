import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeAll(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n" });
});
afterAll(() => workspace.remove());

const haft = (args: readonly string[], rest: { input?: string; env?: Record<string, string> } = {}) =>
  runInProcess(args, { cwd: workspace.folder, ...rest });

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

  it("ha-903 a misspelt tool names the nearest, exit 1", async () => {
    const { code, json } = await haft(["call", "read_fil", "{}", "--json"]);
    expect(code).toBe(1);
    expect(json().error).toMatchObject({
      code: "TOOL_NOT_FOUND",
      hint: expect.stringContaining("read_file"),
    });
  });

  it.each<[string, readonly string[], RegExp]>([
    ["a misspelt command", ["cal", "x"], /unknown command 'cal'\n\(Did you mean call\?\)/],
    ["a misspelt option", ["tools", "--rol", "x"], /unknown option '--rol'\n\(Did you mean --role\?\)/],
    ["a misspelt dialect", ["tools", "--dialect", "claud"], /Did you mean claude\?/],
    ["a misspelt role", ["tools", "--role", "codr"], /CONFIG_INVALID: .*\n.*Did you mean coder\?/],
    ["a wrong way to approve", ["call", "x", "--approve", "maybe"], /Allowed are ask, all, none/],
    ["a missing argument", ["call"], /missing required argument 'tool'/],
    ["a missing workspace", ["tools", "--workspace", "/nowhere"], /PATH_NOT_FOUND: .*\/nowhere/],
    [
      "a missing workspace of a journal",
      ["changes", "--workspace", "/nowhere"],
      /PATH_NOT_FOUND: .*\/nowhere/,
    ],
    ["a missing configuration", ["tools", "--config", "none.json"], /CONFIG_NOT_FOUND: /],
    ["a pack that is not there", ["tools", "--packs", "no-such-pack"], /PACK_NOT_INSTALLED: no-such-pack/],
    ["an empty list of packs", ["tools", "--packs", ","], /Name at least one package/],
    ["a later version's command", ["run", "do it", "--model", "x"], /haft run is not part of this version/],
    ["another one", ["console", "--port", "1"], /haft console is not part of this version/],
    ["HTTP", ["mcp", "--http", "8080"], /haft mcp --http is not part of this version/],
    ["a bad name for a tool", ["new", "tool", "../x"], /INVALID_NAME: /],
  ])("%s is told, exit 2, with nothing on stdout", async (_name, args, message) => {
    const { code, stdout, stderr } = await haft(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("    at ");
  });

  it("an unreadable, a broken and an unknown configuration", async () => {
    workspace.write("broken.json", "{");
    workspace.write("unknown.json", '{"rolle":"reader"}');
    expect((await haft(["tools", "--config", "broken.json"])).stderr).toContain("CONFIG_MALFORMED");
    const unknown = await haft(["tools", "--config", "unknown.json"]);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toMatch(/CONFIG_INVALID.*rolle[\s\S]*role/);
    expect((await haft(["tools", "--config", "."])).stderr).toMatch(/CONFIG_/);
  });

  it("a call that could not even be made still answers in JSON where JSON was asked for", async () => {
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

  it("writes nothing but what was asked for", () => {
    expect(readdirSync(workspace.folder).filter((name) => name.startsWith("."))).toEqual([]);
    expect(existsSync(join(workspace.folder, "none.txt"))).toBe(false);
  });
});
