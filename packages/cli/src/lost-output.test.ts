import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel } from "@haft/agent/scripted-model";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BIN, runHaft } from "./fixtures/run-haft.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n", big: "x\n".repeat(50_000) });
});
afterEach(() => workspace.remove());

/** A bash script in which `haft` is the built command; `$code` is the exit code of the command before a pipe. */
async function inShell(line: string, input = "") {
  const haft = `haft() { '${process.execPath}' '${BIN}' "$@"; }`;
  const child = spawn("bash", ["-c", `${haft}; ${line}`], {
    cwd: workspace.folder,
    env: { ...process.env, XDG_STATE_HOME: `${workspace.folder}-state` },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  child.stdin.on("error", () => {});
  // Left open, so that a command that waits for the end of its input would hang.
  child.stdin.write(input);
  await new Promise((resolve) => child.on("close", resolve));
  return { out, err };
}

const CODE = 'echo "code ${PIPESTATUS[0]}"';

describe("a reader that closes the pipe", () => {
  it("early is not a failure", async () => {
    const { out, err } = await inShell(`haft schema | head -c 1; ${CODE}`);
    expect(out).toMatch(/^\[code 0/);
    expect(err).toBe("");
  });

  it.each([
    ["haft --version", 0],
    ["haft --help", 0],
    ["haft tools", 0],
    [`haft call read_file '{"path":"a.txt"}'`, 0],
    [`haft call read_file '{"path":"big"}' --json`, 0],
    [`haft call read_file '{"path":"none"}' --json`, 1],
    [`haft call write_file '{"path":"new","content":"x"}' --approve all`, 0],
  ])("%s ends with %d, as its result requires, and prints nothing more", async (command, code) => {
    // The reader has ended before the first write.
    const { out, err } = await inShell(`{ sleep 0.3; ${command}; echo "code $?" >&2; } | true`);
    expect([out, err]).toEqual(["", `code ${code}\n`]);
  });

  it("of standard error changes no result", async () => {
    const { out } = await inShell(
      `{ sleep 0.3; haft call read_file '{"path":"none"}'; echo "code $?"; } 2> >(true)`,
    );
    expect(out).toBe("code 1\n");
  });

  it("ends an MCP server whose client is gone, although its input is open", async () => {
    const hello = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    };
    const { err } = await inShell(`haft mcp | true; ${CODE} >&2`, `${JSON.stringify(hello)}\n`);
    expect(err).toBe("code 0\n");
  });

  it("leaves a run that can be resumed, without another turn", async () => {
    const call = { name: "read_file", args: { path: "a.txt" } };
    await using model = await startScriptedModel((_, n) => ({ delayMs: 200, text: `${n}`, calls: [call] }));
    const run = `haft run look --json --base-url ${model.url} --model m`;
    const { err } = await inShell(`{ sleep 0.3; ${run}; echo "code $?" >&2; } | true`);
    expect(err).toBe("code 1\n");
    expect(model.requests.length).toBeLessThanOrEqual(1);
  });
});

describe("output that cannot be written", () => {
  it.each(["--version", "--help", "tools"])(
    "haft %s > /dev/full: one line, and a failure",
    async (command) => {
      const { err } = await inShell(`haft ${command} > /dev/full; echo "code $?" >&2`);
      expect(err).toMatch(/^haft: CANNOT_WRITE: standard output: ENOSPC[^\n]*\ncode 1\n$/);
    },
  );

  it("does not stop the command", async () => {
    await inShell(`haft call write_file '{"path":"a.txt","content":"new"}' --approve all > /dev/full`);
    expect(readFileSync(join(workspace.folder, "a.txt"), "utf8")).toBe("new");
  });
});

describe("pipes", () => {
  it("colours and control sequences are not printed", async () => {
    const { stdout, stderr } = await runHaft(["tools"], { cwd: workspace.folder });
    expect(stdout + stderr).not.toContain("\u001b");
  });
});
