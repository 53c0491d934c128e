import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workspaceWithOutsidePack } from "./fixtures/outside-pack.js";
import { runHaft } from "./fixtures/run-haft.js";

// A package that is installed nowhere in this repository, and known to no line of it.
describe("a tool pack from outside", () => {
  let workspace: ReturnType<typeof workspaceWithOutsidePack>;
  beforeAll(() => {
    workspace = workspaceWithOutsidePack();
  });
  afterAll(() => workspace.remove());

  const haft = (...args: string[]) =>
    runHaft([...args, "--packs", "outside-pack,@haft/tool-fs"], { cwd: workspace.folder });
  const content = () => readFileSync(join(workspace.folder, "a.txt"), "utf8");

  it("S1.C1 is called like any other, with no edit in core, runtime or command", async () => {
    const { code, json } = await haft("call", "shout", '{"path":"a.txt"}', "--json");
    expect(code).toBe(0);
    expect(json()).toMatchObject({ ok: true, tool: "shout", value: { text: "HELLO\n" }, text: "HELLO\n" });
  });

  it("S1.C7 is there by being imported: the configuration names the package and nothing else", async () => {
    workspace.write("named.json", JSON.stringify({ packs: ["outside-pack"] }));
    const listed = await runHaft(["tools", "--json", "--config", "named.json"], { cwd: workspace.folder });
    expect(listed.json().map((tool: { name: string }) => tool.name)).toEqual(["stamp", "shout"]);
  });

  it("S1.A3.1 registered: it is found by importing its package", async () => {
    const { stdout } = await haft("tools");
    expect(stdout).toMatch(/^shout +x-outside +ReadFiles +auto +outside-pack$/m);
    expect(stdout).toMatch(/^read_file .*@haft\/tool-fs$/m);
  });

  it("S1.A3.2 described: its schema goes to every provider", async () => {
    for (const provider of ["openai", "openai-responses", "anthropic", "gemini", "mcp"]) {
      const { json, stdout } = await haft("schema", "--for", provider);
      expect(Array.isArray(json())).toBe(true);
      expect(stdout).toContain('"name": "shout"');
    }
  });

  it("S1.A3.3 callable: through the runtime, with its arguments validated", async () => {
    const { code, json } = await haft("call", "shout", '{"file":"a.txt"}', "--json");
    expect(code).toBe(1);
    expect(json()).toMatchObject({ ok: false, error: { code: "INVALID_ARGUMENTS" } });
  });

  it("S1.A3.4 in the prompt: under its own category, with example and termination", async () => {
    const { stdout } = await haft("prompt");
    const section = stdout.slice(stdout.indexOf("## Outside"));
    expect(section).toContain("### shout\nRead a file, loudly.");
    expect(section).toContain('Example (the house is noisy): `{"path":"a.txt"}`');
    expect(section).toContain("Termination: terminate=true when it was heard.");
    expect(stdout.indexOf("### stamp")).toBeLessThan(stdout.indexOf("## Outside"));
  });

  it("S1.A3.5 filtered by role: a reader neither sees nor runs what writes", async () => {
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

  it("S1.A3.6 under approval: refused with nobody to ask, rehearsed in a dry run", async () => {
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

  it("S1.A3.7 journalled: what it changed can be taken back", async () => {
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
