import { type Script, type ScriptedModel, startScriptedModel } from "@haft/agent/scripted-model";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GATE_PACKS, workspaceWithGate } from "./fixtures/gate-pack.js";
import { inTerminal, onTerminal } from "./fixtures/pty-session.js";
import { BIN, runHaft } from "./fixtures/run-haft.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

interface Listed {
  readonly state: string;
}

const CTRL_Z = "\u001a";
const EDIT = {
  name: "edit",
  args: { path: "src/total.js", old_string: "a - b", new_string: "a + b" },
};
const READ = { name: "read_file", args: { path: "src/total.js" } };
const WAIT = { name: "wait_for", args: { path: "go" } };

let workspace: ReturnType<typeof workspaceWithGate>;
let model: ScriptedModel;
beforeEach(() => {
  workspace = workspaceWithGate({ "src/total.js": "export const total = (a, b) => a - b;\n" });
});
afterEach(async () => {
  await model.close();
  workspace.remove();
});

async function commandFor(script: Script): Promise<readonly string[]> {
  model = await startScriptedModel(script);
  return ["run", "fix the total", "--base-url", model.url, "--model", "scripted", ...GATE_PACKS];
}

describe("FU5 a session in a shared terminal", () => {
  it("Ctrl-Z suspends it, fg resumes it, and input typed in between is ignored", async () => {
    const args = await commandFor([{ text: "Hello." }, { text: "Back again." }]);
    const shell = onTerminal(["/bin/bash", "--norc", "-i"], { cwd: workspace.folder });
    await shell.until(/[#$] ?$/);
    shell.type("PS1='shell: '\r");
    await shell.until(/\nshell:$/);
    shell.type(`${[process.execPath, BIN, ...args].map((word) => `'${word}'`).join(" ")}\r`);
    await shell.until(/Hello\.[\s\S]*\/help\n›$/);
    shell.type(CTRL_Z);
    await shell.until(/Stopped[\s\S]*shell:$/);
    shell.type("stty -a | grep -o ' icanon'; echo typed in the shell\r");
    await shell.until(/\n icanon\ntyped in the shell\nshell:$/);
    shell.type("fg\r");
    await shell.until(/fg\n[\s\S]*\/help\n›$/);
    shell.type("go on\r");
    await shell.until(/› go on[\s\S]*Back again\.[\s\S]*\/help\n›$/);
    const heard = model.requests.at(-1)?.messages.filter(({ role }) => role === "user");
    expect(heard?.map(({ content }) => content)).toEqual(["fix the total", "go on"]);
    shell.type("/quit\r");
    await shell.until(/To continue[^\n]*\nshell:$/);
    shell.type("exit\r");
    expect(await shell.ended).toBe(0);
  });

  it("Ctrl-Z and fg during a question leave it open, and it can be answered afterwards", async () => {
    const args = await commandFor([{ calls: [READ] }, { calls: [EDIT] }, { text: "Edited." }]);
    const shell = onTerminal(["/bin/bash", "--norc", "-i"], { cwd: workspace.folder });
    await shell.until(/[#$] ?$/);
    shell.type("PS1='shell: '\r");
    await shell.until(/\nshell:$/);
    shell.type(`${[process.execPath, BIN, ...args].map((word) => `'${word}'`).join(" ")}\r`);
    await shell.until(/needs approval[\s\S]*\n>$/);
    shell.type(CTRL_Z);
    await shell.until(/Stopped[\s\S]*shell:$/);
    shell.type("fg\r");
    await shell.until(/fg\n[\s\S]*>$/);
    shell.type("y\r");
    await shell.until(/Edited\.[\s\S]*\/help\n›$/);
    shell.type("/quit\r");
    await shell.until(/To continue[^\n]*\nshell:$/);
    shell.type("exit\r");
    expect(await shell.ended).toBe(0);
  });

  it("a question waits until the pager is closed", async () => {
    const long = Array.from({ length: 80 }, (_, line) => `line ${line}\n`).join("");
    const write = { name: "write_file", args: { path: "long.txt", content: long } };
    const args = await commandFor([
      { calls: [READ, write] },
      { calls: [WAIT] },
      { calls: [EDIT] },
      { text: "Edited." },
    ]);
    const talk = inTerminal(args, { cwd: workspace.folder });
    await talk.until(/still waiting/);
    talk.type("/diff\r");
    await talk.until(/1-39 of 8\d/);
    workspace.write("go", "");
    const states = async () =>
      (await runHaft(["runs", "--json"], { cwd: workspace.folder })).json().map((run: Listed) => run.state);
    await vi.waitUntil(async () => (await states()).includes("waiting for approval"), { timeout: 30_000 });
    // The question has been pending since before this command started, and the pager still has the keys.
    expect(await states()).toEqual(["waiting for approval"]);
    talk.type("j");
    await talk.until(/2-40 of 8\d/);
    expect(talk.screen()).not.toContain("edit needs approval");
    talk.type("q");
    await talk.until(/edit needs approval[\s\S]*\n> ?$/);
    talk.type("y\r");
    await talk.until(/✓ edit[\s\S]*Edited\.[\s\S]*\/help\n›$/);
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
  });

  it("shows no open call that another terminal handles, and later shows its result", async () => {
    const args = await commandFor([
      { calls: [READ] },
      { calls: [EDIT] },
      { text: "Edited." },
      { text: "Went on." },
    ]);
    const first = inTerminal(args, { cwd: workspace.folder });
    await first.until(/edit needs approval[\s\S]*\n> ?$/);
    const second = inTerminal(["run", "--continue", ...args.slice(2)], { cwd: workspace.folder });
    await second.until(/RUN_BUSY[\s\S]*\/help\n›$/);
    expect(second.visible().join("\n")).not.toMatch(/edit src/);
    first.type("y\r");
    await first.until(/Edited\.[\s\S]*\/help\n›$/);
    second.type("go on\r");
    await second.until(/✓ edit[\s\S]*Edited\.[\s\S]*› go on[\s\S]*Went on\.[\s\S]*\/help\n›$/);
    for (const session of [first, second]) session.type("/quit\r");
    expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
  });

  it("a diff that fits stays on the screen, without undone changes", async () => {
    const args = await commandFor([{ calls: [READ] }, { calls: [EDIT] }, { text: "Edited." }]);
    const talk = inTerminal([...args, "--approve", "all"], { cwd: workspace.folder });
    await talk.until(/Edited\.[\s\S]*\/help\n›$/);
    talk.type("/diff\r");
    await talk.until(
      /› \/diff\n(?:[^›]*\n)?modify src\/total\.js\n[\s\S]*\+export const total[^\n]*\n[\s\S]*\/help\n›$/,
    );
    talk.type("/undo\r");
    await talk.until(/Undone: [\s\S]*\n›$/);
    talk.type("/diff\r");
    await talk.until(/No change of this session is left\.[\s\S]*\n›$/);
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
  });
});
