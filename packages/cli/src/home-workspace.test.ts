import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  workspace = temporaryWorkspace({ "a.txt": "old\n" });
});
afterEach(() => workspace.remove());

/** Simulates the home directory as the workspace: the state of all workspaces lies inside it. */
const state = () => join(workspace.folder, ".local", "state");
const haft = (tool: string, args: object) =>
  runInProcess(["call", tool, JSON.stringify(args), "--approve", "all", "--json"], {
    cwd: workspace.folder,
    env: { XDG_STATE_HOME: state(), HOME: workspace.folder },
  });

describe("FE17 with the home directory as the workspace", () => {
  it.each([
    ["execute_command", { command: "cat .local/state/haft/other/grants/secret.json" }],
    ["execute_command", { command: "ls -R -a .local" }],
    ["run_code", { language: "bash", code: "cat $PWD/.local/state/haft/other/grants/*; ls -R -a .local" }],
    ["read_file", { path: ".local/state/haft/other/grants/secret.json" }],
    ["grep", { pattern: "GRANT", path: ".local" }],
    ["glob", { pattern: "**/secret.json" }],
    ["list_directory", { path: ".local/state/haft", recursive: true }],
  ])("FE17 %s cannot see the state folder: %j", async (tool, args) => {
    const grants = join(state(), "haft", "other", "grants");
    mkdirSync(grants, { recursive: true, mode: 0o700 });
    writeFileSync(join(grants, "secret.json"), "GRANT-1234");
    const { stdout } = await haft(tool, args);
    expect(stdout).not.toContain("GRANT-1234");
    const { value = {} } = JSON.parse(stdout);
    expect(JSON.stringify(value)).not.toContain('secret.json"');
  });

  it("FE17 no command can write to it: such writes are dropped", async () => {
    const grants = join(state(), "haft", "other", "grants");
    mkdirSync(grants, { recursive: true, mode: 0o700 });
    const code =
      "echo planted > .local/state/haft/other/grants/planted.json; mkdir -p .local/state/haft/new && echo x > .local/state/haft/new/y";
    await haft("run_code", { language: "bash", code });
    expect(readdirSync(grants)).toEqual([]);
    expect(readdirSync(join(state(), "haft"))).not.toContain("new");
  });
});

describe("FE17 with the state folder as the workspace", () => {
  it.each(["", "trust", "other/grants"])("FE17 opens nothing: %j", async (below) => {
    const folder = join(state(), "haft", below);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { code, stdout, stderr } = await runInProcess(
      ["call", "write_file", '{"path":"x.json","content":"{}"}', "--workspace", folder],
      { cwd: workspace.folder, env: { XDG_STATE_HOME: state(), HOME: workspace.folder } },
    );
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`The workspace ${folder} is in Haft's state folder ${join(state(), "haft")}`);
    expect(readdirSync(folder)).not.toContain("x.json");
  });
});
