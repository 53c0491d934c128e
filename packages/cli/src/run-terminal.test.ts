import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Script, type ScriptedModel, startScriptedModel } from "@haft/agent/scripted-model";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GATE_PACKS, workspaceWithGate } from "./fixtures/gate-pack.js";
import { inTerminal } from "./fixtures/pty-session.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const GREEN = 2;
const RED = 1;

let workspace: ReturnType<typeof workspaceWithGate>;
let model: ScriptedModel | undefined;
beforeEach(() => {
  workspace = workspaceWithGate({ "src/total.js": "export const total = (a, b) => a - b;\n" });
});
afterEach(async () => {
  await model?.close();
  workspace.remove();
});

/** Runs `haft run` on a pseudo-terminal, against a model that follows a script over real HTTP. */
async function run(script: Script, ...args: string[]) {
  return runWith({}, script, ...args);
}

async function runWith(env: Readonly<Record<string, string>>, script: Script, ...args: string[]) {
  model = await startScriptedModel(script);
  const all = [
    "run",
    "fix the total",
    "--once",
    "--base-url",
    model.url,
    "--model",
    "scripted",
    ...GATE_PACKS,
    ...args,
  ];
  return inTerminal(all, { cwd: workspace.folder, env });
}
const source = () => readFileSync(join(workspace.folder, "src/total.js"), "utf8");
const EDIT = { path: "src/total.js", old_string: "a - b", new_string: "a + b" };
const READ = { name: "read_file", args: { path: "src/total.js" } };
/** The tool results of the last request to the model. */
const heard = () => JSON.stringify(model?.requests.at(-1)?.messages.filter(({ role }) => role === "tool"));

describe("S4.004 following a run on a terminal", () => {
  it("S4.004.a shows a started call with its name, arguments and progress", async () => {
    const session = await run([{ calls: [{ name: "wait_for", args: { path: "go" } }] }, { text: "Done." }]);
    const during = await session.until(/still waiting for go/);
    expect(during).toMatch(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] wait_for go /m);
    expect(during).not.toContain("✓");
    workspace.write("go", "");
    expect(await session.ended).toBe(0);
    expect(session.screen()).not.toContain("still waiting");
  });

  it("S4.004.b a successful result has a green mark and its duration", async () => {
    const session = await run([{ calls: [READ] }, { text: "Done." }]);
    expect(await session.ended).toBe(0);
    expect(session.screen()).toMatch(/^✓ read_file src\/total.js \d+ ms\n {4}1: export const/m);
    expect(session.colourOf("✓ read_file")).toBe(GREEN);
  });

  it("S4.004.b a failed result has a red mark, its code and its message", async () => {
    const session = await run([
      { calls: [{ name: "read_file", args: { path: "none.js" } }] },
      { text: "Gone." },
    ]);
    expect(await session.ended).toBe(0);
    expect(session.screen()).toMatch(/^✗ read_file none.js FILE_NOT_FOUND \d+ ms\n {4}FILE_NOT_FOUND: /m);
    expect(session.colourOf("✗ read_file")).toBe(RED);
  });

  it("S4.004.c shows calls in the order they were made, then the summary", async () => {
    const session = await run([
      {
        text: "I look around.",
        calls: [
          { name: "wait_for", args: { path: "go" } },
          READ,
          { name: "read_file", args: { path: "none.js" } },
        ],
      },
      { calls: [{ name: "edit", args: EDIT }] },
      { text: "The total is now a sum." },
    ]);
    // The quick calls finish long before the first; they are shown in turn.
    expect(await session.until(/still waiting for go/)).not.toContain("✓ read_file");
    workspace.write("go", "");
    expect(await session.until(/\n>$/)).toMatch(/│ -.*a - b;\n│ \+.*a \+ b;/);
    expect(source()).toContain("a - b");
    session.type("y\r");
    expect(await session.ended).toBe(0);
    expect(source()).toContain("a + b");
    const order = [
      "› fix the total",
      "I look around.",
      "✓ wait_for",
      "✓ read_file",
      "✗ read_file",
      "✓ edit",
      "The total is now a sum.",
      "● done (3 turns, 4 calls",
    ];
    const screen = session.screen();
    const places = order.map((text) => screen.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(screen).toMatch(/✓ edit .*\n {4}modify src\/total.js\n/);
  });
});

describe("FU5 a terminal that cannot redraw", () => {
  const plain = (script: Script) => runWith({ TERM: "dumb", NO_COLOR: "1" }, script);
  const count = (screen: string, text: string) => screen.split(text).length - 1;

  it("shows the model's last message once, also when a question was interrupted after it", async () => {
    const done = await plain([{ text: "I look.", calls: [READ] }, { text: "It **subtracts**." }]);
    expect(await done.ended).toBe(0);
    expect(count(done.screen(), "I look.")).toBe(1);
    expect(count(done.screen(), "subtracts")).toBe(1);
    await model?.close();
    const stopped = await plain([
      { calls: [READ] },
      { text: "I change it.", calls: [{ name: "edit", args: EDIT }] },
    ]);
    await stopped.until(/\n> ?$/);
    stopped.type("\u0003");
    expect(await stopped.ended).toBe(130);
    expect(count(stopped.screen(), "I change it.")).toBe(1);
  });

  it("shows an error once, with the advice", async () => {
    const session = await plain([{ fail: 404, message: "No such model" }]);
    expect(await session.ended).toBe(1);
    expect(count(session.screen(), "No such model")).toBe(1);
    expect(session.screen()).toContain("Check the model id");
  });
});

describe("input typed before a question", () => {
  it("answers nothing: lines typed while the model thinks approve no call", async () => {
    const session = await run([
      { calls: [READ] },
      { delayMs: 2_000, calls: [{ name: "edit", args: EDIT }] },
      { text: "Fine." },
    ]);
    await session.until(/✓ read_file[\s\S]*thinking…/);
    session.type("y\ry\ry");
    await session.until(/\n>$/);
    expect(source()).toContain("a - b");
    session.type("n\r");
    await session.until(/may be empty\)/);
    session.type("\r");
    expect(await session.ended).toBe(0);
    expect(source()).toContain("a - b");
    expect(heard()).toContain("APPROVAL_DENIED");
  });
});

describe("te-902 only haft controls the terminal", () => {
  it("for any text, call, stream, request or answer of a model", async () => {
    const hostile = "\u001b]0;owned\u0007\u001b[2J\u001b[1;1H\u202e";
    workspace.write("evil.txt", `${hostile}\n`);
    const session = await run([
      { text: `Look ${hostile}`, calls: [{ name: "read_file", args: { path: "evil.txt" } }] },
      { calls: [{ name: "read_file", args: { path: `none${hostile}` } }] },
      { calls: [{ name: "write_file", args: { path: "evil.txt", content: `x ${hostile}\n` } }] },
      { text: `End ${hostile}` },
    ]);
    await session.until(/\n>$/);
    session.type("y\r");
    expect(await session.ended).toBe(0);
    for (const sequence of ["\u001b]", "\u0007", "\u001b[2J", "\u001b[1;1H", "\u202e"])
      expect(session.raw()).not.toContain(sequence);
    expect(session.screen()).toContain("Look \\x1b]0;owned\\x07\\x1b[2J");
    expect(session.screen()).toContain("End \\x1b]0;owned");
  });
});

describe("S3.APPR answers during a run", () => {
  const editing: Script = [{ calls: [READ] }, { calls: [{ name: "edit", args: EDIT }] }, { text: "Well." }];

  it("no, with a reason for the model", async () => {
    const session = await run(editing);
    await session.until(/\n>$/);
    session.type("n\r");
    await session.until(/may be empty\)/);
    session.type("use a loop\r");
    expect(await session.ended).toBe(0);
    expect(session.screen()).toMatch(/^⊘ edit .* APPROVAL_DENIED/m);
    expect(heard()).toContain("use a loop");
    expect(source()).toContain("a - b");
  });

  it("FE10 other arguments, which are rehearsed, shown and asked about", async () => {
    const session = await run(editing);
    await session.until(/\n>$/);
    session.type("e\r");
    await session.until(/Arguments: .*\}/);
    session.type(`\u0015${JSON.stringify({ ...EDIT, new_string: "b + a" })}\r`);
    await session.until(/│ \+.*b \+ a;\n[\s\S]*\n>$/);
    expect(source()).toContain("a - b");
    session.type("y\r");
    expect(await session.ended).toBe(0);
    expect(source()).toContain("b + a");
    expect(session.screen()).toMatch(/✓ edit .*new_string "b \+ a"/);
    expect(heard()).toContain("arguments changed by the user");
  });

  it("always, with the exact rule visible, and does not prompt again", async () => {
    const session = await run([
      { calls: [READ] },
      { calls: [{ name: "edit", args: EDIT }] },
      { calls: [{ name: "edit", args: { ...EDIT, old_string: "a + b", new_string: "b + a" } }] },
      { text: "Twice." },
    ]);
    expect(await session.until(/\n>$/)).toMatch(
      /a = yes, always \(until haft policy revoke\), for:\n│ edit may modify src\/total\.js/,
    );
    session.type("a\r");
    expect(await session.ended).toBe(0);
    expect(session.screen().split("Approve?")).toHaveLength(2);
    expect(source()).toContain("b + a");
  });

  it("several questions, one after the other", async () => {
    workspace.write("other.txt", "old\n");
    const session = await run([
      { calls: [READ, { name: "read_file", args: { path: "other.txt" } }] },
      {
        calls: [
          { name: "edit", args: EDIT },
          { name: "write_file", args: { path: "other.txt", content: "new\n" } },
        ],
      },
      { text: "One of two." },
    ]);
    expect(await session.until(/\n>$/)).not.toContain("write_file needs approval to modify");
    session.type("y\r");
    await session.until(/write_file needs approval to modify other\.txt[\s\S]*\n>$/);
    session.type("n\r");
    await session.until(/may be empty\)/);
    session.type("\r");
    expect(await session.ended).toBe(0);
    expect(session.screen()).toMatch(/✓ edit [\s\S]*⊘ write_file [\s\S]*One of two\./);
    expect(source()).toContain("a + b");
    expect(readFileSync(join(workspace.folder, "other.txt"), "utf8")).toBe("old\n");
  });

  it("no, and stop: nothing more runs", async () => {
    const session = await run(editing);
    await session.until(/\n>$/);
    session.type("s\r");
    await session.until(/may be empty\)/);
    session.type("\r");
    expect(await session.ended).toBe(1);
    expect(session.screen()).toContain("● stopped: you denied a call and stopped the run");
    expect(model?.requests).toHaveLength(2);
    expect(source()).toContain("a - b");
  });
});
