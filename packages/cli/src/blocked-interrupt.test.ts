import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ScriptedModel, startScriptedModel } from "@haft/agent/scripted-model";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GATE_PACKS, workspaceWithGate } from "./fixtures/gate-pack.js";
import { inTerminal, onTerminal, type PtySession } from "./fixtures/pty-session.js";
import { BIN, runHaft } from "./fixtures/run-haft.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const CTRL_C = "\u0003";

describe("Ctrl-C while a third-party tool blocks the process", () => {
  let workspace: ReturnType<typeof workspaceWithGate>;
  let model: ScriptedModel | undefined;
  beforeEach(() => {
    workspace = workspaceWithGate();
  });
  afterEach(async () => {
    await model?.close();
    workspace.remove();
  });
  const call = (how: string) =>
    inTerminal(["call", "hold", JSON.stringify({ how }), ...GATE_PACKS], { cwd: workspace.folder });
  const haft = (...args: string[]) => runHaft(args, { cwd: workspace.folder });

  /** Presses Ctrl-C until the text is on the screen or the program has ended. */
  async function press(session: PtySession, shown?: RegExp): Promise<void> {
    const pressing = setInterval(() => session.type(CTRL_C), 300);
    await (shown === undefined ? session.ended : session.until(shown)).finally(() => clearInterval(pressing));
  }

  it("cancels a waiting call, with exit code 130", async () => {
    const session = call("wait");
    await session.until(/holding/);
    session.type(CTRL_C);
    expect(await session.ended).toBe(130);
    expect(session.screen()).toMatch(/^CANCELLED/m);
  });

  it.each(["loop", "later"])("ends a blocking call (%s) and applies none of its changes", async (how) => {
    const session = call(how);
    await session.until(/holding/);
    await press(session);
    expect(await session.ended).toBe(130);
    expect(existsSync(join(workspace.folder, "held.txt"))).toBe(false);
    expect((await haft("changes", "--json")).json()).toEqual([]);
    const next = await haft("call", "write_file", '{"path":"b.txt","content":"b"}');
    expect(next.code).toBe(0);
  });

  it("ends a blocked session, restores the terminal and keeps the session", async () => {
    model = await startScriptedModel([{ calls: [{ name: "hold", args: { how: "loop" } }] }]);
    const args = ["--base-url", model.url, "--model", "m", ...GATE_PACKS];
    const shell = `trap : INT; "$0" "$@"; echo "exit code $?"; stty -a`;
    const session = onTerminal(["/bin/sh", "-c", shell, process.execPath, BIN, "run", "hold", ...args], {
      cwd: workspace.folder,
    });
    await session.until(/holding/);
    expect((await haft("runs", "--json")).json()).toMatchObject([{ state: "running", task: "hold" }]);
    await press(session, /exit code \d+/);
    await session.ended;
    expect(session.screen()).toMatch(/exit code 130\n/);
    expect(session.screen()).toMatch(/ icanon .* echo /);
    expect((await haft("runs", "--json")).json()).toMatchObject([{ state: "interrupted", task: "hold" }]);
    expect(existsSync(join(workspace.folder, "held.txt"))).toBe(false);
  });
});
