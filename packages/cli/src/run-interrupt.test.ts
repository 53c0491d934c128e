import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Script, type ScriptedModel, startScriptedModel } from "@haft/agent/scripted-model";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GATE_PACKS, workspaceWithGate } from "./fixtures/gate-pack.js";
import { inTerminal, onTerminal } from "./fixtures/pty-session.js";
import { BIN } from "./fixtures/run-haft.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const CTRL_C = "\u0003";

describe("Ctrl-C in a run", () => {
  let workspace: ReturnType<typeof workspaceWithGate>;
  let model: ScriptedModel | undefined;
  beforeEach(() => {
    workspace = workspaceWithGate({ "a.txt": "old\n" });
  });
  afterEach(async () => {
    await model?.close();
    workspace.remove();
  });

  async function run(script: Script) {
    model = await startScriptedModel(script);
    const args = ["run", "work", "--once", "--base-url", model.url, "--model", "m", ...GATE_PACKS];
    return inTerminal(args, { cwd: workspace.folder });
  }
  const waiting = (args: object) => [{ calls: [{ name: "wait_for", args: { path: "go", ...args } }] }];

  it("cancels the running call, and the run ends cleanly", async () => {
    const session = await run(waiting({}));
    await session.until(/still waiting/);
    session.type(CTRL_C);
    expect(await session.ended).toBe(130);
    expect(session.screen()).toMatch(/^⊘ wait_for .* CANCELLED/m);
    expect(session.screen()).toMatch(/● cancelled \(1 turn, 1 call, 1 not completed/);
    expect(model?.requests).toHaveLength(1);
  });

  it("cancels while the model thinks", async () => {
    const session = await run([{ hang: true }]);
    await session.until(/thinking…/);
    session.type(CTRL_C);
    expect(await session.ended).toBe(130);
    expect(session.screen()).toContain("● cancelled");
  });

  it("cancels during a prompt: nothing is applied", async () => {
    const session = await run([
      { calls: [{ name: "read_file", args: { path: "a.txt" } }] },
      { calls: [{ name: "write_file", args: { path: "a.txt", content: "new\n" } }] },
    ]);
    await session.until(/\n>$/);
    session.type(CTRL_C);
    expect(await session.ended).toBe(130);
    expect(session.screen()).toContain("● cancelled");
    expect(readFileSync(join(workspace.folder, "a.txt"), "utf8")).toBe("old\n");
  });

  it("closing the terminal keeps the request pending, and resuming the run shows it again", async () => {
    const session = await run([
      { calls: [{ name: "read_file", args: { path: "a.txt" } }] },
      { calls: [{ name: "write_file", args: { path: "a.txt", content: "new\n" } }] },
      { text: "Written." },
    ]);
    await session.until(/\n>$/);
    session.hangUp();
    await session.ended;
    const args = [
      "run",
      "--resume",
      "last",
      "--once",
      "--base-url",
      model?.url ?? "",
      "--model",
      "m",
      ...GATE_PACKS,
    ];
    const again = inTerminal(args, { cwd: workspace.folder });
    expect(await again.until(/\n>$/)).toContain("write_file needs approval to modify");
    expect(readFileSync(join(workspace.folder, "a.txt"), "utf8")).toBe("old\n");
    again.type("y\r");
    expect(await again.ended).toBe(0);
    expect(again.screen()).toMatch(/✓ read_file[\s\S]*continuing where[\s\S]*✓ write_file[\s\S]*Written\./);
    expect(readFileSync(join(workspace.folder, "a.txt"), "utf8")).toBe("new\n");
  });

  it("closing the terminal ends the command with SIGHUP, without a core dump", async () => {
    model = await startScriptedModel([{ hang: true }]);
    const status = join(workspace.folder, "status");
    const command = `node ${BIN} run work --once --base-url ${model.url} --model m`;
    // The shell outlives its terminal, to report how the command ended.
    const session = onTerminal(["sh", "-c", `trap '' HUP; ${command}; echo $? > ${status}`], {
      cwd: workspace.folder,
    });
    await session.until(/thinking…/);
    session.hangUp();
    await vi.waitFor(() => expect(readFileSync(status, "utf8")).toBe("129\n"), 30_000);
  });

  it("pressed twice ends even a call that does not stop", async () => {
    const session = await run(waiting({ stubborn: true }));
    await session.until(/still waiting/);
    session.type(CTRL_C);
    await session.until(/Ctrl-C: cancelling the current work/);
    session.type(CTRL_C);
    expect(await session.ended).not.toBe(0);
  });
});
