import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bundle } from "../../../test-support/bundle.mjs";
import { writePack } from "../../../test-support/write-pack.js";
import { isGroupAlive } from "../../process/stop-process-group.js";

const PACK = `
define({ name: "loops", timeoutMs: 120000 }, async () => { await say(process.pid); for (;;) {} });
define({ name: "prints" }, async () => { await say("printed"); return "answered"; });
define({ name: "murmurs" }, async () => { for (const each of ["murmured", "twice"]) console.log(each); return "answered"; });
define({ name: "hoards" }, async () => { const all = []; for (;;) all.push(1.5); });
const say = (value) => new Promise((resolve) => process.stdout.write(value + "\\n", resolve));`;

let folder: string;
let script: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-contained-host-")));
  writePack(join(folder, "pack"), PACK);
  script = await bundle(join(import.meta.dirname, "../../../test-support/contained-host.ts"), folder);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function host(tool: string): ChildProcess {
  return spawn(process.execPath, [script, join(folder, "pack"), tool], { stdio: ["ignore", "pipe", "pipe"] });
}

async function outputOf(tool: string): Promise<{ stdout: string; stderr: string; code: number | null }> {
  const child = host(tool);
  const texts = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => (texts.stdout += chunk));
  child.stderr?.on("data", (chunk) => (texts.stderr += chunk));
  const [code] = await once(child, "close");
  return { ...texts, code };
}

describe("S1 the process of a contained pack", () => {
  it("ends with a host that is killed, even in an endless loop", { timeout: 60_000 }, async () => {
    const child = host("loops");
    let printed = "";
    child.stderr?.on("data", (chunk) => (printed += chunk));
    const pid = await vi.waitFor(() => Number(/^\d+$/m.exec(printed)?.[0] ?? expect.fail(printed)), {
      timeout: 30_000,
    });
    expect(isGroupAlive(pid)).toBe(true);
    child.kill("SIGKILL");
    await vi.waitFor(() => expect(isGroupAlive(pid)).toBe(false), { timeout: 30_000 });
  });

  it("does not keep its host alive, and prints to standard error", { timeout: 60_000 }, async () => {
    expect(await outputOf("prints")).toEqual({ stdout: '"answered"\n', stderr: "printed\n", code: 0 });
    expect(await outputOf("murmurs")).toEqual({
      stdout: '"answered"\n',
      stderr: "murmured\ntwice\n",
      code: 0,
    });
  });

  it("a full heap is reported by the call, not by V8's report on the screen", {
    timeout: 60_000,
  }, async () => {
    const { stdout, stderr, code } = await outputOf("hoards");
    expect(stdout).toMatch(/EXECUTION_ERROR: .*memory limit/);
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  });
});
