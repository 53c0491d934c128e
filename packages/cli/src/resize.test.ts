import { type Script, type ScriptedModel, startScriptedModel } from "@haft/agent/scripted-model";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GATE_PACKS, workspaceWithGate } from "./fixtures/gate-pack.js";
import { inTerminal, type PtySession } from "./fixtures/pty-session.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

let workspace: ReturnType<typeof workspaceWithGate>;
let model: ScriptedModel | undefined;
beforeEach(() => {
  workspace = workspaceWithGate({ "src/total.js": "export const total = (a, b) => a - b;\n" });
});
afterEach(async () => {
  await model?.close();
  workspace.remove();
});

async function session(script: Script, args: readonly string[] = []): Promise<PtySession> {
  model = await startScriptedModel(script);
  const all = [
    "run",
    "fix the total",
    "--base-url",
    model.url,
    "--model",
    "scripted",
    ...GATE_PACKS,
    ...args,
  ];
  // The emulated terminal is that of VS Code.
  const env = { TERM_PROGRAM: "vscode" };
  return inTerminal(all, { cwd: workspace.folder, columns: 80, rows: 30, env });
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const count = (text: string, part: RegExp) => text.match(part)?.length ?? 0;
const STATUS = /^(ask|accept edits|plan only)\b.*tokens/gm;
const PROMPT = /^›/gm;
const SPINNER = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/gm;
const EDIT = { path: "src/total.js", old_string: "a - b", new_string: "a + b" };

async function leave(talk: PtySession): Promise<void> {
  talk.type("/quit\r");
  expect(await talk.ended).toBe(0);
}

describe("FU5 resizing the terminal", () => {
  it("while text streams: every word is on the screen once, with one status line below it", async () => {
    const words = Array.from({ length: 150 }, (_, index) => `word${index}`);
    const text = `${words.slice(0, 90).join(" ")}\n\n${words.slice(90).join(" ")}`;
    const talk = await session([{ text, paceMs: 10 }]);
    for (const [seen, columns] of [
      [/word20/, 40],
      [/word50/, 120],
      [/word80/, 40],
      [/word110/, 80],
    ] as const) {
      await talk.until(seen);
      talk.resize(columns);
    }
    await talk.until(/word149[\s\S]*● done[\s\S]*tokens.*\n›$/);
    const shown = talk.screen().match(/word\d+/g);
    expect(shown).toEqual(words);
    expect(count(talk.screen(), STATUS)).toBe(1);
    expect(count(talk.screen(), SPINNER)).toBe(0);
    await leave(talk);
  });

  it("while a command runs and a message is being typed: both are redrawn for each width", async () => {
    const talk = await session([{ calls: [{ name: "wait_for", args: { path: "go" } }] }, { text: "Done." }]);
    await talk.until(/still waiting/);
    talk.type("and then look at the other files of the folder too, please");
    await talk.until(/please$/);
    for (const columns of [40, 120, 44, 80]) {
      talk.resize(columns);
      await pause(700);
      const screen = talk.visible().join("\n");
      expect([count(screen, STATUS), count(screen, PROMPT), count(screen, SPINNER)]).toEqual([1, 2, 1]);
      expect(screen.replace(/\n {2}/g, "")).toContain(
        "› and then look at the other files of the folder too, please",
      );
    }
    workspace.write("go", "");
    await talk.until(/● done[\s\S]*please$/);
    talk.type("\u0003");
    await talk.until(/\n›$/);
    expect(count(talk.screen(), STATUS)).toBe(1);
    await leave(talk);
  });

  it("several times in a row in a terminal that announces its size late, as tmux does: no row remains", async () => {
    const talk = await session([{ calls: [{ name: "wait_for", args: { path: "go" } }] }, { text: "Done." }]);
    await talk.until(/still waiting/);
    for (let round = 0; round < 3; round += 1) {
      talk.resize(120);
      await pause(40);
      talk.rewrap(40);
      await pause(200);
      talk.resize(round === 1 ? 80 : 40);
      await pause(700);
    }
    const screen = talk.screen();
    expect([count(screen, STATUS), count(screen, SPINNER), count(screen, /wait_for/g)]).toEqual([1, 1, 1]);
    expect(count(screen, /› fix the total/g)).toBe(1);
    workspace.write("go", "");
    await talk.until(/● done[\s\S]*\n›$/);
    await leave(talk);
  });

  it("during a question: it is laid out again for the new width, once, and can be answered", async () => {
    const read = { name: "read_file", args: { path: "src/total.js" } };
    const talk = await session([
      { calls: [read] },
      { calls: [{ name: "edit", args: EDIT }] },
      { text: "Edited." },
    ]);
    const asked = await talk.until(/edit needs approval[\s\S]*\n> ?$/);
    for (const columns of [40, 120, 40, 80]) {
      talk.resize(columns);
      await pause(500);
      const screen = await talk.until(/needs approval[\s\S]*\n> ?$/);
      expect(count(screen, /needs approval/g)).toBe(count(asked, /needs approval/g));
      expect(count(screen, /Approve\?/g)).toBe(1);
      expect(talk.visible().filter((row) => [...row].length > columns)).toEqual([]);
    }
    // Nothing remains of the other layouts.
    expect(talk.screen()).toBe(asked);
    talk.type("y\r");
    await talk.until(/Edited\.[\s\S]*tokens.*\n›$/);
    expect(count(talk.screen(), STATUS)).toBe(1);
    await leave(talk);
  });

  it("while the pager is open: the same part stays on the screen, and approving still requires the end", async () => {
    const content = Array.from({ length: 120 }, (_, index) => `line ${index} ${"x".repeat(60)}`).join("\n");
    const talk = await session([
      { calls: [{ name: "read_file", args: { path: "src/total.js" } }] },
      { calls: [{ name: "write_file", args: { path: "src/total.js", content } }] },
      { text: "Written." },
    ]);
    await talk.until(/v = view all, then yes[\s\S]*\n> ?$/);
    talk.type("v\r");
    await talk.until(/1-29 of \d+/);
    talk.type("  ");
    await talk.until(/59-87 of \d+/);
    const [, middle] = /line (\d+)/.exec(talk.visible().join("\n")) ?? [];
    talk.resize(40);
    await talk.until(/-\d+ of 2\d\d/);
    talk.resize(120);
    await talk.until(/-\d+ of 1\d\d/);
    const [, after] = /line (\d+)/.exec(talk.visible().join("\n")) ?? [];
    expect(Math.abs(Number(after) - Number(middle))).toBeLessThan(4);
    talk.type("q");
    await talk.until(/v = view all, then yes[\s\S]*\n> ?$/);
    talk.type("v\r");
    await talk.until(/1-29 of \d+/);
    talk.type("G");
    await talk.until(/, end/);
    talk.type("q");
    await talk.until(/y = yes[\s\S]*\n> ?$/);
    talk.type("y\r");
    await talk.until(/Written\.[\s\S]*tokens.*\n›$/);
    await leave(talk);
  });
});
