import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { liveProcesses } from "../../../tooling/testing/live-processes.js";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const SERVER = fileURLToPath(new URL("../../mcp/src/fixtures/foreign-server.mjs", import.meta.url));

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n" });
});
afterEach(() => workspace.remove());

const calls = () => join(workspace.folder, "calls");
const server = (mode = "plain", more: object = {}) => ({
  command: process.execPath,
  args: [SERVER, mode],
  env: { CALLS_FILE: calls(), API_TOKEN: "given-to-it-alone" },
  ...more,
});
const configure = (mcpServers: object, more: object = {}) =>
  workspace.write("haft.config.json", JSON.stringify({ role: "admin", mcpServers, ...more }));
const haft = (args: readonly string[], env: Record<string, string> = {}) =>
  runInProcess(args, { cwd: workspace.folder, env });
const NAMED = ["--config", "haft.config.json"];

describe("mcpServers in a configuration", () => {
  it("adds the servers' tools to the list, the prompt and the schemas", async () => {
    configure({ "two-words": server() });
    const listed = await haft(["tools", "--json", ...NAMED]);
    const mounted = listed.json().find(({ name }: { name: string }) => name === "two_words_echo");
    expect(mounted).toMatchObject({
      permissions: ["NetworkAccess"],
      approval: "depends",
      package: "mcp server two-words",
    });
    expect(listed.json().map(({ name }: { name: string }) => name)).toContain("read_file");
    expect(listed.stderr).toBe("");
    expect((await haft(["prompt", ...NAMED])).stdout).toContain("two_words_echo");
    expect((await haft(["schema", ...NAMED])).stdout).toContain("two_words_echo");
  });

  it("prompts for a call unless a rule allows it, and marks its answer as untrusted", async () => {
    configure({ other: server() });
    const call = ["call", "other_echo", '{"text": "hi"}', ...NAMED];
    const refused = await haft([...call, "--json"]);
    expect([refused.code, refused.json().error.code]).toEqual([1, "APPROVAL_REQUIRED"]);
    expect(existsSync(calls())).toBe(false);
    expect((await haft([...call, "--approve", "all"])).stdout).toContain(
      '<untrusted source="mcp server other: echo">\nhi',
    );
    configure({ other: server() }, { rules: [{ effect: "allow", tool: "other_echo" }] });
    expect(await haft(call)).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(calls(), "utf8")).toBe("echo\necho\n");
  });

  it("FE6 SECURITY: an untrusted configuration starts no server, and the warning names haft trust", async () => {
    configure({ other: server() });
    const listed = await haft(["tools"]);
    expect(listed.code).toBe(0);
    expect(listed.stdout).not.toContain("other_echo");
    expect(listed.stderr).toContain("ignored: role, mcpServers. Review and trust it: haft trust\n");
    const call = await haft(["call", "other_echo", '{"text": "x"}', "--approve", "all"]);
    expect([call.code, existsSync(calls())]).toEqual([1, false]);
  });

  it("SECURITY: a server gets only the configured environment variables, and their values are redacted", async () => {
    configure({ other: server("plain", { env: { API_TOKEN: "given-to-it-alone", OURS: "${OUR_NAME}!" } }) });
    const call = ["call", "other_environment", '{"text": ""}', "--approve", "all", "--json", ...NAMED];
    const { value } = (await haft(call, { OUR_NAME: "ours", OTHER_THING: "kept-back" })).json();
    expect(value.text).toContain('"OURS":"ours!"');
    expect(value.text).not.toContain("kept-back");
    expect(value.text).not.toContain("given-to-it-alone");
    expect(value.text).toContain("[secret:");
  });

  it("names an unusable server with the reason, and everything else works", async () => {
    configure({
      good: server(),
      absent: { command: "/nowhere/at-all" },
      broken: {
        command: process.execPath,
        args: ["-e", "console.error('no such database'); process.exit(3)"],
      },
      silent: server("silent", { timeoutMs: 1_000 }),
      unset: server("plain", { env: { KEY: "${NOT_SET_ANYWHERE}" } }),
      far: { url: "http://127.0.0.1:1/mcp" },
    });
    const { code, stdout, stderr } = await haft(["tools", ...NAMED]);
    expect(code).toBe(0);
    expect(stdout).toContain("good_echo");
    expect(stdout).toContain("read_file");
    expect(stderr).toMatch(/not mounted: absent: .*nowhere\/at-all could not be started/);
    expect(stderr).toMatch(/not mounted: broken: .*no such database/);
    expect(stderr).toMatch(/not mounted: silent: /);
    expect(stderr).toContain("not mounted: unset: the variable NOT_SET_ANYWHERE is not set");
    expect(stderr).toMatch(/not mounted: far: /);
    expect(stderr.trim().split("\n")).toHaveLength(5);
  });

  it("stops servers with the command, including everything they started", async () => {
    configure({
      a: server("children", { args: [SERVER, "children", workspace.folder] }),
      b: server("deaf", { args: [SERVER, "deaf", workspace.folder] }),
    });
    expect((await haft(["tools", ...NAMED])).stdout).toContain("b_echo");
    expect(liveProcesses(workspace.folder)).toEqual([]);
  });

  it("a role without NetworkAccess starts no server, and the reason is printed", async () => {
    configure({ other: server() });
    const listed = await haft(["tools", "--role", "coder", ...NAMED]);
    expect(listed.stderr).toContain("not mounted: other: the role coder lacks NetworkAccess");
    expect(listed.stdout).toContain("read_file");
  });

  it("reports tools that cannot be mounted: invalid ones, and those whose name is taken", async () => {
    configure({ "a-b": server(), a_b: server("plain", { tools: ["echo"] }), odd: server("hostile") });
    const { stdout, stderr } = await haft(["tools", ...NAMED]);
    expect(stdout.match(/^a_b_echo /gm)).toHaveLength(1);
    expect(stderr).toContain("MCP server a_b: a_b_echo was not mounted: two tools are called a_b_echo");
    expect(stderr).toContain("MCP server odd: no_schema was skipped: ");
    expect(stderr).not.toContain("\u001b");
  });

  it("mounts only some of a server's tools if the configuration says so", async () => {
    configure({ other: server("plain", { tools: ["echo"] }) });
    const { stdout } = await haft(["tools", ...NAMED]);
    expect(stdout.match(/^other_\w+/gm)).toEqual(["other_echo"]);
  });

  it("FE15 reports a tool name that a server does not offer with the nearest one: in its own list, in a rule, in the role", async () => {
    const rules = [{ effect: "deny", tool: "other_fial" }];
    const role = {
      name: "r",
      permissions: ["ReadFiles", "NetworkAccess"],
      tools: ["read_file", "other_ehco"],
    };
    configure({ other: server("plain", { tools: ["ehco", "echo", "fail"] }) }, { rules, role });
    const { stderr } = await haft(["tools", ...NAMED]);
    expect(stderr.trim().split("\n")).toEqual([
      "haft: MCP server other: ehco was skipped: the server does not offer it; did you mean echo?",
      "haft: MCP server other: it has no tool other_ehco, which a role or rule names; did you mean other_echo?",
      "haft: MCP server other: it has no tool other_fial, which a role or rule names; did you mean other_fail?",
    ]);
  });

  it("FE15 of two servers with a common prefix, a name in a rule belongs to the longer one", async () => {
    const rules = ["git_hub_echo", "git_echo", "git_hub_ehco", "git_fial"].map((tool) => ({
      effect: "deny",
      tool,
    }));
    configure({ git: server(), "git-hub": server("plain", { tools: ["echo"] }) }, { rules });
    const { code, stderr } = await haft(["tools", ...NAMED]);
    expect(code).toBe(0);
    expect(stderr.trim().split("\n").sort()).toEqual([
      "haft: MCP server git-hub: it has no tool git_hub_ehco, which a role or rule names; did you mean git_hub_echo?",
      "haft: MCP server git: it has no tool git_fial, which a role or rule names; did you mean git_fail?",
    ]);
  });

  it("FE15 a rule for a tool beyond the end of a truncated list causes no false warning", async () => {
    configure({ other: server("endless") }, { rules: [{ effect: "deny", tool: "other_t100000" }] });
    const { code, stderr } = await haft(["tools", ...NAMED]);
    expect(code).toBe(0);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/^haft: MCP server other: the rest was skipped: at most \d+ tools of one server/),
    ]);
  });

  it("a rule that misspells another tool is still an error", async () => {
    configure({ other: server() }, { rules: [{ effect: "deny", tool: "red_file" }] });
    expect(await haft(["tools", ...NAMED])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean read_file?"),
    });
  });
});
