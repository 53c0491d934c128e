import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHaft } from "./fixtures/run-haft.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeAll(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n" });
});
afterAll(() => workspace.remove());

const haft = (args: readonly string[], rest: { input?: string; env?: Record<string, string> } = {}) =>
  runHaft(args, { cwd: workspace.folder, ...rest });
const content = (path = "a.txt") => readFileSync(join(workspace.folder, path), "utf8");

describe("haft call", () => {
  it("prints the text for the model and exits with 0", async () => {
    const { code, stdout, stderr } = await haft(["call", "read_file", '{"path":"a.txt"}']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "1: hello\n", stderr: "" });
  });

  it("--json prints one object on one line, with the documented keys first", async () => {
    const { stdout, json } = await haft(["call", "read_file", '{"path":"a.txt"}', "--json"]);
    expect(stdout.trimEnd()).not.toContain("\n");
    expect(Object.keys(json()).slice(0, 8)).toEqual([
      "ok",
      "tool",
      "callId",
      "value",
      "text",
      "changes",
      "warnings",
      "durationMs",
    ]);
    expect(json().value).toMatchObject({ content: "hello\n", size: 6, totalLines: 1, truncated: false });
  });

  it("a tool's error has keys of its own and exits with 1", async () => {
    const { code, json } = await haft(["call", "read_file", '{"path":"none.txt"}', "--json"]);
    expect(code).toBe(1);
    expect(Object.keys(json())).toEqual(["ok", "tool", "callId", "error", "text", "durationMs"]);
    expect(json().error).toMatchObject({
      code: "FILE_NOT_FOUND",
      message: expect.stringContaining("none.txt"),
    });
    const plain = await haft(["call", "read_file", '{"path":"none.txt"}']);
    expect(plain).toMatchObject({ code: 1, stdout: "" });
    expect(plain.stderr).toMatch(/^FILE_NOT_FOUND: /);
  });

  it("reads arguments from standard input for -, even 10 MB", async () => {
    const marked = await haft(["call", "read_file", "-"], { input: '\ufeff{"path":"a.txt"}' });
    expect(marked.code).toBe(0);
    const small = await haft(["call", "read_file", "-"], { input: '{"path":"a.txt"}' });
    expect(small.stdout).toBe("1: hello\n");
    const big = await haft(["call", "write_file", "-", "--json"], {
      input: JSON.stringify({ path: "big.txt", content: "x".repeat(10_000_000) }),
    });
    expect([0, 1]).toContain(big.code);
    expect(big.json()).toHaveProperty("ok");
  });

  it("overwrites without a previous read, and does not prompt without a terminal", async () => {
    const args = ["call", "write_file", '{"path":"a.txt","content":"new\\n"}', "--json"];
    const refused = await haft(args);
    expect(refused.code).toBe(1);
    expect(refused.json()).toMatchObject({
      error: { code: "APPROVAL_REQUIRED", hint: expect.stringContaining("--approve all") },
    });
    expect((await haft(args.slice(0, 3))).stderr).toMatch(/--approve all.*--approve ask/);
    expect((await haft([...args, "--approve", "ask"])).json()).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
    expect(content()).toBe("hello\n");
    const rehearsed = await haft([...args, "--dry-run"]);
    expect(rehearsed.json()).toMatchObject({ ok: true, preview: true });
    expect(content()).toBe("hello\n");
    expect((await haft([...args, "--approve", "all"])).json()).toMatchObject({
      ok: true,
      value: { path: "a.txt", bytesWritten: 4, created: false, changed: true },
      changes: [{ kind: "modify", path: "a.txt" }],
    });
    expect(content()).toBe("new\n");
    const undone = await haft(["undo", "--json"]);
    expect(undone.json()).toMatchObject({ ok: true, changes: [{ kind: "modify", path: "a.txt" }] });
    expect(content()).toBe("hello\n");
    expect((await haft(["undo", "no-such-call", "--json"])).json()).toMatchObject({ ok: false });
  });

  it("te-902 escapes text that would control the terminal", async () => {
    workspace.write("evil.txt", "bad\rgood\u001b[2J\u202e\r\n");
    const { stdout } = await haft(["call", "read_file", '{"path":"evil.txt"}']);
    expect(stdout).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
    expect(stdout).toContain("bad\\rgood\\x1b[2J\\u202e");
  });

  it("supports other dialects", async () => {
    const path = join(workspace.folder, "a.txt");
    const { code } = await haft(["call", "Read", JSON.stringify({ file_path: path }), "--dialect", "claude"]);
    expect(code).toBe(0);
  });
});

describe("commands that show information", () => {
  it("--version prints the version of the package", async () => {
    const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect((await haft(["--version"])).stdout).toBe(`${manifest.version}\n`);
    expect((await haft(["-V"])).stdout).toBe(`${manifest.version}\n`);
  });

  it("tools lists name, category, permissions, approval and package", async () => {
    const { json } = await haft(["tools", "--role", "reader", "--json"]);
    expect(json()).toContainEqual({
      name: "read_file",
      category: "read",
      permissions: ["ReadFiles"],
      approval: "auto",
      package: "@haft/tool-fs",
      summary: expect.any(String),
    });
    expect(
      json().every((tool: { permissions: string[] }) => tool.permissions.every((p) => p === "ReadFiles")),
    ).toBe(true);
  });

  it("prompt and schema print what an agent receives", async () => {
    expect((await haft(["prompt", "--role", "reader"])).stdout).toMatch(/^# Tools\n[\s\S]*## File Reading\n/);
    expect((await haft(["prompt", "--xml"])).stdout).toMatch(/^<tools>\n/);
    expect((await haft(["prompt", "--stats"])).stdout).toMatch(
      /^tools \d+, prompt \d+ tokens, schemas \d+ tokens\n$/,
    );
    expect((await haft(["schema", "--for", "anthropic"])).json()).toContainEqual(
      expect.objectContaining({
        name: "read_file",
        input_schema: expect.objectContaining({ type: "object" }),
      }),
    );
  });

  it("policy explain names the deciding rule and has no effect", async () => {
    const args = ["policy", "explain", "write_file", '{"path":"a.txt","content":"x"}'];
    const { code, stdout } = await haft(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^write_file: ask\n/);
    expect(stdout).toContain("policy: ask: ");
    expect((await haft([...args, "--json", "--role", "reader"])).json()).toMatchObject({
      tool: "write_file",
      effect: "deny",
      steps: [{ check: "tool and role", passed: false }],
    });
    expect(content()).toBe("hello\n");
  });

  it("doctor names installed programs, and how to install missing ones", async () => {
    const { code, json } = await haft(["doctor", "--json"], { env: { PATH: "/nowhere" } });
    expect(code).toBe(0);
    const checks = new Map(json().checks.map((check: { name: string }) => [check.name, check]));
    expect([...checks.keys()]).toEqual(["node", "sandbox", "ripgrep", "python", "terminal", "state"]);
    // Programs of the sandbox are not looked up on PATH.
    expect(checks.get("sandbox")).toMatchObject(
      existsSync("/usr/bin/bwrap")
        ? { status: "ok", detail: expect.stringContaining("bubblewrap") }
        : { status: "warning", fix: expect.stringContaining("bubblewrap") },
    );
    expect(checks.get("ripgrep")).toMatchObject({
      status: "warning",
      fix: expect.stringContaining("ripgrep"),
    });
    const text = await haft(["doctor"]);
    expect(text.stdout).toMatch(/^✓ node +20|^✓ node +2\d/m);
    const broken = await haft(["doctor"], { env: { XDG_STATE_HOME: join(workspace.folder, "a.txt") } });
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/✗ state .*XDG_STATE_HOME/);
    if (existsSync("/proc/self")) {
      const nowhere = await haft(["doctor"], { env: { XDG_STATE_HOME: "/proc/haft-none" } });
      expect(nowhere.stdout).toMatch(/✗ state +\/proc\/haft-none\/haft cannot be written/);
      expect(nowhere.code).toBe(1);
    }
  });

  it("FE17 doctor names a folder above the state folder that others can write to, and the remedy", async () => {
    const open = join(workspace.folder, "open");
    mkdirSync(open);
    chmodSync(open, 0o777);
    const { code, stdout } = await haft(["doctor"], { env: { XDG_STATE_HOME: join(open, "state") } });
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ state .*can be written by other users \(mode 777\)/);
    expect(stdout).toContain(`chmod go-w ${open}`);
  });

  it("doctor shows the configured sandbox tier and the file that sets it", async () => {
    const sandboxOf = async (tier: string) => {
      workspace.write("tiers/haft.config.json", JSON.stringify({ sandbox: { tier } }));
      const { code, json } = await haft(["doctor", "--json", "--config", "tiers/haft.config.json"]);
      const found = json().checks.find(({ name }: { name: string }) => name === "sandbox");
      return { code, ...found };
    };
    expect(await sandboxOf("portable")).toMatchObject({
      code: 0,
      status: "ok",
      detail: expect.stringMatching(
        /^portable, just-bash .*tiers\/haft\.config\.json says sandbox\.tier "portable"$/,
      ),
    });
    expect(await sandboxOf("unconfined")).toMatchObject({
      status: "warning",
      detail: expect.stringMatching(/^none; code runs with your permissions; .*"unconfined"$/),
    });
    expect((await sandboxOf("auto")).detail).not.toContain("haft.config");
    expect(await sandboxOf("wrong")).toMatchObject({
      code: 1,
      status: "error",
      detail: expect.stringContaining("sandbox"),
    });
    workspace.write("other.json", JSON.stringify({ sandbox: { tier: "portable" } }));
    expect((await haft(["doctor", "--config", "other.json"])).stdout).toMatch(
      /✓ sandbox +portable.*other\.json/,
    );
  });
});
