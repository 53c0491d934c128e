import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeAll(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n", ".env": "TOKEN=abcdefgh\n", "x/y.txt": "y\n" });
  symlinkSync("/etc", join(workspace.folder, "outside"));
});
afterAll(() => workspace.remove());

const haft = (...args: string[]) => runInProcess(args, { cwd: workspace.folder });
const role = (tool: string) => (tool.startsWith("web_") ? ["--role", "researcher"] : []);
const explain = async (tool: string, args: object) =>
  (await haft("policy", "explain", tool, JSON.stringify(args), "--json", ...role(tool))).json();

describe("FE9 explain predicts the decision of the call itself", () => {
  it.each<[string, object]>([
    ["execute_command", { command: "rm -rf x" }],
    ["execute_command", { command: "cat .env" }],
    ["execute_command", { command: "git log" }],
    ["read_file", { path: "../../etc/passwd" }],
    ["read_file", { path: ".env" }],
    ["read_file", { path: "none.txt" }],
    ["read_file", { path: "a.txt" }],
    ["grep", { pattern: "(", path: "." }],
    ["web_fetch", { url: "http://169.254.169.254/" }],
    ["web_fetch", { url: "file:///etc/passwd" }],
    ["write_file", { path: ".git/hooks/pre-commit", content: "x" }],
    ["write_file", { path: "../out.txt", content: "x" }],
    ["nothing_like_it", {}],
    ...["..", "/etc", "outside", "\u0000", "a\nb", "missing", "a.txt", "a.txt/x", ".env", "x", "."].map(
      (cwd): [string, object] => ["execute_command", { command: "ls", cwd }],
    ),
    ["execute_command", { command: "ls", cwd: "..", background: true }],
    ["execute_command", { command: "ls", env: { "A=B": "x" } }],
    ["execute_command", { command: "ls", ports: [3000] }],
    ["run_code", { language: "bash", code: "true", env: { "": "x" } }],
    ["process", { action: "list" }],
    ["process", { action: "kill" }],
    ["process", { action: "kill", id: "nope" }],
    ["process", { action: "write", id: "nope", input: "x" }],
    ["web_search", { query: "x" }],
  ])("%s %j", async (tool, args) => {
    const explained = await haft(
      "policy",
      "explain",
      tool,
      JSON.stringify(args),
      "--json",
      "--approve",
      "none",
      ...role(tool),
    );
    const { effect, steps, decidedBy } = explained.json();
    expect(decidedBy).toEqual(expect.any(String));
    // No approver is attached, so calls that need approval are rejected with that reason.
    const called = (
      await haft("call", tool, JSON.stringify(args), "--json", "--approve", "none", ...role(tool))
    ).json();
    const code = called.error?.code;
    if (effect === "allow") expect(called).toMatchObject({ ok: true });
    if (effect === "ask") expect(code).toBe("APPROVAL_REQUIRED");
    if (effect === "deny") expect(steps.at(-1).code ?? "POLICY_DENIED").toBe(code);
    expect(existsSync(join(workspace.folder, "x/y.txt"))).toBe(true);
  });

  it("answers for --approve all as haft call acts", async () => {
    const decide = async (path: string) =>
      (
        await haft("policy", "explain", "delete_file", JSON.stringify({ path }), "--json", "--approve", "all")
      ).json();
    expect(await decide("x/y.txt")).toMatchObject({ effect: "allow", decidedBy: "--approve all" });
    expect(JSON.stringify(await decide("x/y.txt"))).not.toContain("would be asked");
    expect(await decide("none.txt")).toMatchObject({ effect: "deny" });
    expect(existsSync(join(workspace.folder, "x/y.txt"))).toBe(true);
  });

  it("names a missing directory by its workspace path", async () => {
    const args = JSON.stringify({ command: "ls", cwd: "x/misssing" });
    const { error } = (await haft("call", "execute_command", args, "--json")).json();
    expect(error).toMatchObject({ code: "PATH_NOT_FOUND", message: "Directory not found: x/misssing" });
    expect(JSON.stringify(error)).not.toContain(workspace.folder);
  });

  it("the four calls that explain once reported as allowed are refused, with the reason", async () => {
    const reasonOf = async (tool: string, args: object) => (await explain(tool, args)).steps.at(-1).because;
    expect(await reasonOf("execute_command", { command: "cat .env" })).toContain("COMMAND_DENIED");
    expect(await reasonOf("read_file", { path: "../../etc/passwd" })).toContain("INVALID_PATH");
    expect(await reasonOf("web_fetch", { url: "http://169.254.169.254/" })).toContain("URL_DENIED");
  });

  it("names the deciding rule and every opinion", async () => {
    const rules = [
      { effect: "allow", tool: "write_file" },
      { effect: "deny", when: { path: "x/**" }, reason: "finished" },
    ];
    const config = join(workspace.folder, "rules.json");
    writeFileSync(config, JSON.stringify({ rules }));
    const args = JSON.stringify({ path: "x/new.txt", content: "x" });
    const { stdout } = await haft("policy", "explain", "write_file", args, "--config", config);
    expect(stdout).toMatch(/^write_file: deny\n {2}decided by configuration, rule 2\n/);
    expect(stdout).toContain("allow  configuration, rule 1: a rule says allow for write_file");
    expect(stdout).toContain("deny  configuration, rule 2: finished");
  });
});
