import { existsSync, mkdirSync, realpathSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ScriptedModel, startScriptedModel } from "@haft/agent/scripted-model";
import { stateDirectoryOf } from "@haft/runtime-node";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startEditor } from "./fixtures/acp-editor.js";
import { inTerminal } from "./fixtures/pty-session.js";
import { runHaft } from "./fixtures/run-haft.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

let workspace: ReturnType<typeof temporaryWorkspace>;
let model: ScriptedModel;
let old: string;
beforeEach(async () => {
  workspace = temporaryWorkspace();
  model = await startScriptedModel([{ text: "Hello." }]);
  const env = { XDG_STATE_HOME: `${workspace.folder}-state` };
  const runs = join(stateDirectoryOf(realpathSync(workspace.folder), env), "runs");
  mkdirSync(runs, { recursive: true });
  old = join(runs, "old.jsonl");
  writeFileSync(old, "");
  utimesSync(old, 0, 0);
});
afterEach(async () => {
  await model.close();
  workspace.remove();
});

const server = () => ["--base-url", model.url, "--model", "scripted"];

describe("a new run deletes runs older than a month", () => {
  it("without a terminal", async () => {
    expect((await runHaft(["run", "hi", ...server()], { cwd: workspace.folder })).code).toBe(0);
    expect(existsSync(old)).toBe(false);
  });

  it("in a session", async () => {
    const talk = inTerminal(["run", "hi", ...server()], { cwd: workspace.folder });
    await talk.until(/Hello\.[\s\S]*\/help\n›$/);
    expect(existsSync(old)).toBe(false);
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
  });

  it("in an editor", async () => {
    const editor = await startEditor({ cwd: workspace.folder, args: server() });
    const { sessionId } = await editor.newSession();
    await editor.prompt(sessionId, "hi");
    expect(existsSync(old)).toBe(false);
    expect(await editor.leave()).toBe(0);
  });
});
