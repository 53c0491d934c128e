import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Script, type ScriptedModel, startScriptedModel } from "@haft/agent/scripted-model";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GATE_PACKS, workspaceWithGate } from "./fixtures/gate-pack.js";
import { BIN, runHaft } from "./fixtures/run-haft.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

let workspace: ReturnType<typeof workspaceWithGate>;
let model: ScriptedModel | undefined;
beforeEach(() => {
  workspace = workspaceWithGate({ "a.txt": "old\n" });
});
afterEach(async () => {
  await model?.close();
  workspace.remove();
});

const WRITE = { name: "write_file", args: { path: "a.txt", content: "new\n" } };
const READ = { name: "read_file", args: { path: "a.txt" } };
const content = () => readFileSync(join(workspace.folder, "a.txt"), "utf8");

async function run(script: Script, ...args: string[]) {
  model = await startScriptedModel(script);
  const server = ["--base-url", model.url, "--model", "scripted", ...GATE_PACKS];
  return runHaft(["run", ...args, ...server], { cwd: workspace.folder });
}

const events = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("haft run without a terminal", () => {
  const writing: Script = [{ calls: [READ] }, { text: "I write.", calls: [WRITE] }, { text: "The end." }];

  it("prints the model's final message, and progress on standard error, without escape sequences", async () => {
    const { code, stdout, stderr } = await run(writing, "change it", "--approve", "all");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "The end.\n" });
    expect(stderr).toMatch(
      /▸ read_file .*\n✓ read_file .*\n[\s\S]*I write\.\n▸ write_file[\s\S]*\n {4}-old\n {4}\+new\n/,
    );
    expect(stderr).toMatch(/● done \(3 turns, 2 calls, changed a\.txt/);
    expect(stderr).not.toContain("\u001b");
    expect(content()).toBe("new\n");
  });

  it("reads the task from standard input, with the line endings of any system", async () => {
    model = await startScriptedModel([{ text: "The end." }]);
    const server = ["--base-url", model.url, "--model", "scripted", ...GATE_PACKS];
    const input = "change\r\nit\r\n";
    const { code, stdout } = await runHaft(["run", "-", ...server], { cwd: workspace.folder, input });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "The end.\n" });
    expect(JSON.stringify(model.requests)).toContain('change\\nit"');
    const { stdout: list } = await runHaft(["runs"], { cwd: workspace.folder });
    expect(list).toMatch(/ change it\n$/);
  });

  it("refuses calls that need approval, and tells the model", async () => {
    const { code, stderr } = await run(writing, "change it");
    expect(code).toBe(0);
    expect(stderr).toMatch(/✗ write_file .* APPROVAL_REQUIRED/);
    expect(content()).toBe("old\n");
  });

  it("--dry-run changes nothing, for any approval", async () => {
    const { code } = await run(writing, "change it", "--approve", "all", "--dry-run");
    expect(code).toBe(0);
    expect(content()).toBe("old\n");
  });

  it("--json prints one event per line, and nothing else", async () => {
    const { code, stdout } = await run(writing, "change it", "--json", "--approve", "all");
    expect(code).toBe(0);
    const all = events(stdout);
    const durable = all
      .map(({ type }) => type)
      .filter((type: string) => !/delta|progress|step\.started/.test(type));
    expect(durable.slice(0, 3)).toEqual(["run.started", "message.user", "step.ended"]);
    expect(durable.at(-1)).toBe("run.ended");
    expect(all.find(({ type }) => type === "call.settled")).toMatchObject({
      outcome: "ok",
      callId: expect.any(String),
    });
  });

  it("retries a server that fails briefly, and reports it", async () => {
    const { code, stdout, stderr } = await run(
      [{ fail: 500 }, { cut: 2, text: "Half" }, { text: "Whole." }],
      "go",
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Whole.\n" });
    expect(stderr.match(/^! .*; trying again$/gm)).toHaveLength(2);
  });

  it("does not announce a retry after the last attempt", async () => {
    const { code, stderr } = await run(
      [{ fail: 500 }, { fail: 500 }, { fail: 500 }],
      "go",
      "--retry-minutes",
      "0",
    );
    expect(code).toBe(1);
    const told = stderr.match(/^! .*; (trying again|giving up)$/gm)?.map((line) => line.split("; ").at(-1));
    expect(told).toEqual(["trying again", "trying again", "giving up"]);
  });

  it("reports how long a server asks to wait, and does not wait too long", async () => {
    const soon = await run([{ fail: 429, retryAfter: 1 }, { text: "Whole." }], "go");
    expect(soon.code).toBe(0);
    expect(soon.stderr).toMatch(/^! MODEL_OVERLOADED: .*; trying again in 1 s$/m);
    await model?.close();
    const late = await run([{ fail: 429, retryAfter: 9999 }], "go");
    expect(late.code).toBe(1);
    expect(late.stderr).toMatch(/MODEL_OVERLOADED: .*asks for a delay of 9999 s.*; giving up$/m);
  });

  it("prints a truncated answer and exits with a failure", async () => {
    const { code, stdout, stderr } = await run([{ text: "It begins", finish: "length" }], "go");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "It begins\n" });
    expect(stderr).toMatch(/● failed [\s\S]*OUTPUT_CUT_OFF: /);
  });

  it("exits with 1 and the reason if the run does not complete", async () => {
    const endless = await run(
      () => ({ calls: [{ name: "read_file", args: { path: `${Math.random()}` } }] }),
      "go",
      "--max-steps",
      "2",
    );
    expect(endless.code).toBe(1);
    expect(endless.stderr).toMatch(/● stopped: it reached its turn limit/);
    await model?.close();
    const refused = await run([{ fail: 401 }], "go");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /● failed.*\n {2}\S+: .*\n {2}Put the key for this server into HAFT_API_KEY\./,
    );
  });

  it("te-902 no text of a model, its arguments or a result controls the terminal", async () => {
    const hostile = "\u001b]0;owned\u0007\u001b[2J\u202e";
    workspace.write("evil.txt", `${hostile}\r\n`);
    const { stdout, stderr } = await run(
      [
        {
          text: `Look ${hostile}`,
          calls: [{ name: "read_file", args: { path: "evil.txt", note: hostile } }],
        },
        { calls: [{ name: `tool${hostile}`, args: {} }] },
        { calls: [{ name: "read_file", args: "{oops" }] },
        { text: `End ${hostile}` },
      ],
      `task ${hostile}`,
    );
    expect(stdout + stderr).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
    expect(stdout).toContain("End \\x1b]0;owned\\x07\\x1b[2J\\u202e");
  });
});

describe("stopping a run", () => {
  /** Starts a run in a separate process, and waits until its first call is running. */
  async function started(script: Script) {
    model = await startScriptedModel(script);
    const args = ["run", "wait", "--base-url", model.url, "--model", "m", ...GATE_PACKS, "--json"];
    const env = { ...process.env, XDG_STATE_HOME: `${workspace.folder}-state` };
    const child = spawn(process.execPath, [BIN, ...args], { cwd: workspace.folder, env });
    let out = "";
    const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
      child.on("close", (code, signal) => resolve({ code, signal })),
    );
    await new Promise<void>((resolve, reject) => {
      child.stdout.on("data", (chunk) => {
        out += chunk;
        if (out.includes('"call.progress"')) resolve();
      });
      void ended.then(() => reject(new Error(`it ended before its call had started:\n${out}`)));
    });
    return { child, ended, output: () => out };
  }
  const waiting: Script = [{ calls: [{ name: "wait_for", args: { path: "go" } }] }, { text: "Waited." }];

  it("ends cleanly on Ctrl-C: the call is cancelled and the run reports it", async () => {
    const { child, ended, output } = await started(waiting);
    child.kill("SIGINT");
    expect(await ended).toEqual({ code: 130, signal: null });
    const [settled, end] = events(output()).filter(({ type }) => /call\.settled|run\.ended/.test(type));
    expect(settled).toMatchObject({ outcome: "cancelled" });
    expect(end).toMatchObject({ reason: "cancelled" });
  });

  it.each(["SIGTERM", "SIGKILL"] as const)("by %s leaves it resumable", async (signal) => {
    const { child, ended, output } = await started(waiting);
    child.kill(signal);
    await ended;
    const [{ runId }] = events(output());
    expect(existsSync(join(workspace.folder, "go"))).toBe(false);
    workspace.write("go", "");
    const server = ["--base-url", model?.url ?? "", "--model", "m", ...GATE_PACKS];
    const again = await runHaft(["run", "--resume", runId, ...server], { cwd: workspace.folder });
    expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 0, stdout: "Waited.\n" });
    expect(again.stderr).toContain("continuing where the run stopped");
    const over = await runHaft(["run", "--resume", runId, ...server], { cwd: workspace.folder });
    expect(over).toMatchObject({ code: 2, stdout: "" });
    expect(over.stderr).toContain("RUN_OVER");
  });
});
