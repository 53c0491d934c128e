import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runHaft } from "./fixtures/run-haft.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";
import { TOPICS } from "./help/topics.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  workspace = temporaryWorkspace({ "package.json": '{"scripts": {"test": "node --test", "start": "x"}}' });
});
afterEach(() => workspace.remove());
const haft = (...args: string[]) => runHaft(args, { cwd: workspace.folder });
const file = (path: string) => readFileSync(join(workspace.folder, path), "utf8");

describe("haft init", () => {
  it("writes a configuration with the project's commands and a stub of AGENTS.md, and overwrites nothing", async () => {
    expect((await haft("init")).stdout).toBe("wrote haft.config.json\nwrote AGENTS.md\n");
    expect(JSON.parse(file("haft.config.json"))).toMatchObject({
      role: "coder",
      commands: { allow: ["npm run test"] },
    });
    expect(file("AGENTS.md")).toContain("- `npm run test`");
    writeFileSync(join(workspace.folder, "AGENTS.md"), "mine");
    expect((await haft("init")).stdout).toContain("AGENTS.md already exists; not changed");
    expect(file("AGENTS.md")).toBe("mine");
    expect((await haft("tools", "--json")).code).toBe(0);
  });

  it("leaves a configuration in code alone, which would be read instead of the new one", async () => {
    writeFileSync(join(workspace.folder, "haft.config.js"), "export default {};");
    const { stdout, stderr } = await haft("init");
    expect(stdout).toBe("haft.config.js already exists; not changed\nwrote AGENTS.md\n");
    expect(stderr).toContain("Review haft.config.js, then trust it");
    expect(existsSync(join(workspace.folder, "haft.config.json"))).toBe(false);
  });

  it.each([
    ['"packageManager": "pnpm@10.0.0",', "package-lock.json", "pnpm run test"],
    ['"packageManager": "yarn@4.9.1",', "x", "yarn run test"],
    ["", "bun.lock", "bun run test"],
    ["", "pnpm-lock.yaml", "pnpm run test"],
    ['"packageManager": 1,', "x", "npm run test"],
  ])("uses the package manager of the project: %s %s", async (pinned, lock, command) => {
    workspace.write("package.json", `{${pinned} "scripts": {"test": "node --test"}}`);
    workspace.write(lock, "");
    await haft("init");
    expect(JSON.parse(file("haft.config.json")).commands.allow).toEqual([command]);
  });

  it("accepts only an existing role, and writes nothing otherwise", async () => {
    const wrong = await haft("init", "--role", "codr");
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("Did you mean coder?");
    expect(existsSync(join(workspace.folder, "haft.config.json"))).toBe(false);
    workspace.write("own.json", '{"name": "own", "permissions": ["ReadFiles"]}');
    expect(await haft("init", "--role", "./own.json")).toMatchObject({ code: 0 });
    expect((await haft("tools", "--json")).code).toBe(0);
  });

  it("names the project's own packs beside the first-party ones", async () => {
    workspace.write("package.json", '{"devDependencies": {"words": "1", "left-pad": "1", "missing": "1"}}');
    workspace.write("node_modules/words/package.json", '{"name": "words", "haft": {"pack": true}}');
    workspace.write("node_modules/left-pad/package.json", '{"name": "left-pad"}');
    expect((await haft("init")).code).toBe(0);
    const { packs } = JSON.parse(file("haft.config.json"));
    expect(packs).toContain("@haft/tool-fs");
    expect(packs.filter((name: string) => !name.startsWith("@haft/"))).toEqual(["words"]);
  });
});

describe("haft help", () => {
  it("lists topics, explains a topic and a command, and names the nearest one", async () => {
    expect((await haft("help")).stdout).toContain("  models ");
    expect((await haft("help", "models")).stdout).toContain("ANTHROPIC_API_KEY");
    expect((await haft("help", "undo")).stdout).toContain("haft undo");
    const { code, stderr } = await haft("help", "modles");
    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean haft help models?");
  });

  it.each(Object.entries(TOPICS))("the topic %s fits on one screen", (_name, { text }) => {
    const lines = text.trim().split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("haft mcp install", () => {
  it("prints the entry for the client's configuration", async () => {
    const { stdout, stderr } = await haft("mcp", "install", "--client", "codex");
    expect(stdout).toMatch(
      /^\[mcp_servers\.haft\]\ncommand = "npx"\nargs = \["-y", "@haft\/cli", "mcp", "--workspace"/,
    );
    expect(stderr).toContain("~/.codex/config.toml");
    expect((await haft("mcp", "install", "--client", "claude-code")).stderr).toContain(
      "claude mcp add haft -- npx",
    );
  });

  it.each([
    ["claude-code", ".mcp.json", "mcpServers"],
    ["cursor", ".cursor/mcp.json", "mcpServers"],
    ["vscode", ".vscode/mcp.json", "servers"],
    ["zed", ".zed/settings.json", "context_servers"],
  ])("writes the file of %s and keeps its other entries", async (client, path, key) => {
    workspace.write(path, JSON.stringify({ theme: "dark", [key]: { other: { command: "x" } } }));
    expect((await haft("mcp", "install", "--client", client, "--write")).code).toBe(0);
    const written = JSON.parse(file(path));
    expect(written).toMatchObject({
      theme: "dark",
      [key]: { other: { command: "x" }, haft: { command: "npx" } },
    });
  });

  it("leaves a file alone that is not JSON", async () => {
    workspace.write(".mcp.json", "mine: {}");
    const { code, stderr } = await haft("mcp", "install", "--client", "claude-code", "--write");
    expect({ code, text: file(".mcp.json") }).toEqual({ code: 2, text: "mine: {}" });
    expect(stderr).toContain("add the printed entry yourself");
  });
});

describe("a project with unusual files", () => {
  const at = (path: string) => join(workspace.folder, path);
  const install = (client: string) => haft("mcp", "install", "--client", client, "--write");

  it.runIf(process.platform !== "win32")("does not wait for a named pipe", async () => {
    rmSync(at("package.json"));
    execFileSync("mkfifo", [at("package.json"), at(".mcp.json")]);
    expect((await haft("init")).code).toBe(0);
    expect(await install("claude-code")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/not a regular file[\s\S]*add the printed entry yourself/),
    });
  });

  it.each([["run", "x"], ["runs"], ["init"], ["mcp", "install", "--client", "zed", "--write"]])(
    "names a missing workspace and does not create it: haft %s",
    async (...command) => {
      const folder = at("nosuch");
      const { code, stderr } = await haft(...command, "--workspace", folder);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining(`PATH_NOT_FOUND: The workspace folder ${folder} does not exist`),
      });
      expect(existsSync(folder)).toBe(false);
    },
  );

  it("names a workspace that is a file, or below a file", async () => {
    workspace.write("file", "");
    const told = async (folder: string) => (await haft("init", "--workspace", at(folder))).stderr;
    expect(await told("file")).toContain(`NOT_A_DIRECTORY: The workspace ${at("file")} is not a folder`);
    expect(await told("file/x")).toContain("PATH_NOT_FOUND");
  });

  it("keeps a dangling link", async () => {
    symlinkSync("nowhere.md", at("AGENTS.md"));
    const { code, stdout } = await haft("init");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "wrote haft.config.json\nAGENTS.md already exists; not changed\n",
    });
    expect(existsSync(at("nowhere.md"))).toBe(false);
  });

  it("does not write settings through a link out of the project, but does through one inside it", async () => {
    const outside = temporaryWorkspace({ "mcp.json": "{}" });
    symlinkSync(outside.folder, at(".cursor"));
    symlinkSync(join(outside.folder, "mcp.json"), at(".mcp.json"));
    for (const client of ["cursor", "claude-code"])
      expect((await install(client)).stderr).toContain("a link that leaves the project");
    expect(readFileSync(join(outside.folder, "mcp.json"), "utf8")).toBe("{}");
    outside.remove();
    workspace.write("settings/mcp.json", "{}");
    symlinkSync("settings", at(".vscode"));
    expect((await install("vscode")).code).toBe(0);
    expect(file("settings/mcp.json")).toContain('"haft"');
  });
});

describe("haft run --model provider/model", () => {
  it("names the packages to install", async () => {
    const { code, stderr } = await haft("run", "hi", "--model", "nosuch/model-1");
    expect(code).toBe(2);
    expect(stderr).toMatch(/@ai-sdk\/nosuch is not installed[\s\S]*npm install ai @ai-sdk\/nosuch/);
  });

  it("loads provider and SDK from the project, and calls the provider", async () => {
    const keys: unknown[] = [];
    const server = createServer(({ headers }, response) => {
      keys.push(headers["x-api-key"]);
      response.writeHead(401, { "content-type": "application/json" });
      response.end('{"type":"error","error":{"type":"authentication_error","message":"no such key"}}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    linkAgentPackages(workspace.folder, ["ai", "@ai-sdk/anthropic"]);
    const { port } = server.address() as AddressInfo;
    // The test runner's shim puts every installed package on this path.
    const env = { NODE_PATH: "", ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
    const args = ["run", "hi", "--model", "anthropic/claude-sonnet-4-5"];
    const { code, stderr } = await runHaft(args, { cwd: workspace.folder, env });
    await runHaft(args, { cwd: workspace.folder, env: { ...env, HAFT_API_KEY: "own" } });
    expect(keys).toEqual(["k", "own"]);
    server.close();
    const planted = await runHaft(["run", "hi", "--retry-minutes", "0"], {
      cwd: workspace.folder,
      env: { ...env, HAFT_MODEL: "anthropic/claude-sonnet-4-5" },
    });
    expect(planted.stderr).toContain("@ai-sdk/anthropic is not installed");
    expect(stderr).toContain("MODEL_REFUSED: The provider responded with 401: no such key");
    expect(code).toBe(1);
  });
});

/** Links the packages that the agent's tests install. */
function linkAgentPackages(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(new URL(`../../agent/node_modules/${name}`, import.meta.url), link);
  }
}
