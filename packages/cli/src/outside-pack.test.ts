import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workspaceWithOutsidePack } from "./fixtures/outside-pack.js";
import { BIN, runHaft } from "./fixtures/run-haft.js";

// A package that this repository neither installs nor mentions.
describe("a third-party tool pack", () => {
  let workspace: ReturnType<typeof workspaceWithOutsidePack>;
  beforeAll(() => {
    workspace = workspaceWithOutsidePack();
  });
  afterAll(() => workspace.remove());

  const haft = (...args: string[]) =>
    runHaft([...args, "--packs", "outside-pack,@haft/tool-fs"], { cwd: workspace.folder });
  const content = () => readFileSync(join(workspace.folder, "a.txt"), "utf8");

  it("S1.C1 is called like any other, without an edit in core, runtime or command", async () => {
    const { code, json } = await haft("call", "shout", '{"path":"a.txt"}', "--json");
    expect(code).toBe(0);
    expect(json()).toMatchObject({ ok: true, tool: "shout", value: { text: "HELLO\n" }, text: "HELLO\n" });
  });

  it("S1.C7 needs only an import: the configuration names the package and nothing else", async () => {
    workspace.write("named.json", JSON.stringify({ packs: ["outside-pack"] }));
    const listed = await runHaft(["tools", "--json", "--config", "named.json"], { cwd: workspace.folder });
    expect(listed.json().map((tool: { name: string }) => tool.name)).toEqual(["stamp", "shout"]);
  });

  it("S1.A3.1 registered: importing its package makes it available", async () => {
    const { stdout } = await haft("tools");
    expect(stdout).toMatch(/^shout +x-outside +ReadFiles +auto +outside-pack$/m);
    expect(stdout).toMatch(/^read_file .*@haft\/tool-fs$/m);
  });

  it("S1.A3.2 available to executors: its schema is among the definitions that a provider gets", async () => {
    const { json } = await haft("schema", "--for", "anthropic");
    expect(json()).toContainEqual(
      expect.objectContaining({
        name: "shout",
        input_schema: expect.objectContaining({ required: ["path"] }),
      }),
    );
  });

  it("S1.A3.3 accessible through the runtime, which validates its arguments", async () => {
    const { code, json } = await haft("call", "shout", '{"file":"a.txt"}', "--json");
    expect(code).toBe(1);
    expect(json()).toMatchObject({ ok: false, error: { code: "INVALID_ARGUMENTS" } });
  });

  it("S1.A3.4 orchestrated by any driver of the runtime: an MCP client without knowledge of it", async () => {
    const client = new Client({ name: "test", version: "1" });
    const args = [BIN, "mcp", "--packs", "outside-pack", "--workspace", workspace.folder];
    const env = { PATH: process.env.PATH ?? "", XDG_STATE_HOME: `${workspace.folder}-state` };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["shout", "stamp"]);
    const result = await client.callTool({ name: "shout", arguments: { path: "a.txt" } });
    expect(result.structuredContent).toEqual({ text: "HELLO\n" });
    await client.close();
  });

  it("S1.A3.5 in the prompt: under its own category, with example and termination", async () => {
    const { stdout } = await haft("prompt");
    const section = stdout.slice(stdout.indexOf("## Outside"));
    expect(section).toContain("### shout\nRead a file, loudly.");
    expect(section).toContain('Example (the house is noisy): `{"path":"a.txt"}`');
    expect(section).toContain("Termination: terminate=true when it was heard.");
    expect(stdout.indexOf("### stamp")).toBeLessThan(stdout.indexOf("## Outside"));
  });

  it("S1.A3.6 filtered by role: a reader cannot see or run tools that write", async () => {
    const { json } = await haft("tools", "--role", "reader", "--json");
    const names = json().map((tool: { name: string }) => tool.name);
    expect(names).toContain("shout");
    expect(names).not.toContain("stamp");
    const refused = await haft(
      "call",
      "stamp",
      '{"path":"a.txt"}',
      "--role",
      "reader",
      "--json",
      "--approve",
      "all",
    );
    expect(refused.json()).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
    expect(content()).toBe("hello\n");
  });

  it("S1.A3.7 under approval: rejected without an approver, rehearsed in a dry run", async () => {
    const refused = await haft("call", "stamp", '{"path":"a.txt"}', "--json");
    expect(refused.code).toBe(1);
    expect(refused.json()).toMatchObject({ error: { code: "APPROVAL_REQUIRED" } });
    const rehearsed = await haft("call", "stamp", '{"path":"a.txt"}', "--json", "--dry-run");
    expect(rehearsed.json()).toMatchObject({
      ok: true,
      preview: true,
      changes: [{ kind: "modify", path: "a.txt", diff: expect.stringContaining("+stamped hello") }],
    });
    expect(content()).toBe("hello\n");
  });

  it("FA13 labels a dry run and shows the diff, whatever the tool's text", async () => {
    const { code, stdout } = await haft("call", "stamp", '{"path":"a.txt"}', "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\[Dry Run\] /);
    expect(stdout).toContain("-hello\n+stamped hello\n");
    expect(stdout).toMatch(/\nNothing was changed\.\n$/);
    expect(content()).toBe("hello\n");
  });

  it("is journalled, so its changes can be undone", async () => {
    expect((await haft("call", "stamp", '{"path":"a.txt"}', "--approve", "all")).code).toBe(0);
    expect(content()).toBe("stamped hello\n");
    const listed = await runHaft(["changes", "--json"], { cwd: workspace.folder });
    expect(listed.json().at(-1)).toMatchObject({
      tool: "stamp",
      changes: [{ kind: "modify", path: "a.txt" }],
    });
    expect((await runHaft(["undo"], { cwd: workspace.folder })).code).toBe(0);
    expect(content()).toBe("hello\n");
  });
});
