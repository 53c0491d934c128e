import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Script, type ScriptedModel, startScriptedModel } from "@haft/agent/scripted-model";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GATE_PACKS, workspaceWithGate } from "./fixtures/gate-pack.js";
import { inTerminal } from "./fixtures/pty-session.js";
import { runHaft } from "./fixtures/run-haft.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const ESCAPE = "\u001b";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const SHIFT_TAB = "\u001b[Z";
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

const server = (packs: readonly string[] = GATE_PACKS) => [
  "--base-url",
  model?.url ?? "",
  "--model",
  "scripted",
  ...packs,
];

async function session(
  script: Script,
  { args = ["run", "fix the total"], columns = 100, packs = GATE_PACKS } = {},
) {
  model = await startScriptedModel(script);
  return inTerminal([...args, ...server(packs)], { cwd: workspace.folder, columns });
}
const source = () => readFileSync(join(workspace.folder, "src/total.js"), "utf8");
const EDIT = { path: "src/total.js", old_string: "a - b", new_string: "a + b" };
const READ = { name: "read_file", args: { path: "src/total.js" } };
const WAIT = { name: "wait_for", args: { path: "go" } };
const said = () =>
  (model?.requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role === "user")
    .map(({ content }) => content);
const idle = /● .*\n\n.*\/help\n›$/;

describe("FU2 a conversation", () => {
  it("answers a question of the model in the same conversation", async () => {
    const talk = await session([{ text: "Shall I test it?" }, { text: "Tested." }]);
    await talk.until(/Shall I test it\?[\s\S]*\/help\n›$/);
    talk.type("yes\r");
    await talk.until(/› yes[\s\S]*Tested\.[\s\S]*\/help\n›$/);
    expect(said()).toEqual(["fix the total", "yes"]);
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
    expect(talk.screen()).toMatch(/To continue: haft run --continue [\w-]+$/);
  });

  it("input typed while it works steers it", async () => {
    const talk = await session([{ calls: [WAIT] }, { text: "With tabs." }]);
    await talk.until(/still waiting/);
    talk.type("use tabs\r");
    await talk.until(/› use tabs/);
    workspace.write("go", "");
    await talk.until(idle);
    expect(said()).toEqual(["fix the total", "use tabs"]);
    talk.type(CTRL_D);
    expect(await talk.ended).toBe(0);
  });

  it("Esc interrupts and keeps the session; Enter continues it", async () => {
    const talk = await session([{ calls: [WAIT] }, { text: "Back at work." }]);
    await talk.until(/still waiting/);
    talk.type(ESCAPE);
    await talk.until(/⊘ wait_for[\s\S]*● cancelled[\s\S]*Press Enter to continue/);
    talk.type("\r");
    await talk.until(/Back at work[\s\S]*\/help\n›$/);
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
  });

  it("Ctrl-C clears the line, then interrupts; twice leaves with exit code 130", async () => {
    const talk = await session([{ hang: true }]);
    await talk.until(/thinking…/);
    talk.type("half a line");
    await talk.until(/› half a line$/);
    talk.type(CTRL_C);
    await talk.until(/\n›$/);
    expect(talk.screen()).not.toContain("● cancelled");
    talk.type(CTRL_C);
    await talk.until(/● cancelled/);
    talk.type(CTRL_C);
    expect(await talk.ended).toBe(130);
  });

  it("Esc at a question interrupts, and keeps the session", async () => {
    const talk = await session([
      { calls: [READ] },
      { calls: [{ name: "edit", args: EDIT }] },
      { text: "And now?" },
    ]);
    await talk.until(/Approve\?[\s\S]*\n> ?$/);
    talk.type(ESCAPE);
    await talk.until(/⊘ edit[\s\S]*● cancelled[\s\S]*Press Enter to continue[\s\S]*\n›$/);
    expect(source()).toContain("a - b");
    talk.type("go on\r");
    await talk.until(/And now\?[\s\S]*● done/);
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
  });

  it("shows retries of a failing model, and Esc ends the waiting", async () => {
    const talk = await session([{ fail: 503, retryAfter: 300 }]);
    await talk.until(/MODEL_FAILED[\s\S]*the model did not answer; attempt 2 in (300|299) s/);
    talk.type(ESCAPE);
    await talk.until(/● cancelled/);
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
  });

  it("Esc leaves the line with the arguments, Ctrl-C there interrupts; neither is taken for a failed editor", async () => {
    const talk = await session([{ calls: [READ] }, { calls: [{ name: "edit", args: EDIT }] }], {
      columns: 200,
    });
    await talk.until(/Approve\?[\s\S]*\n> ?$/);
    talk.type("e\r");
    await talk.until(/Arguments: .*\}$/);
    talk.type(ESCAPE);
    await talk.until(/The arguments are unchanged\.\n[\s\S]*Approve\?[\s\S]*\n> ?$/);
    talk.type("e\r");
    await talk.until(/Arguments: .*\}\n[\s\S]*Arguments: .*\}$/);
    talk.type(CTRL_C);
    const screen = await talk.until(/● cancelled[\s\S]*Press Enter to continue[\s\S]*\n›$/);
    expect(screen).not.toContain("the editor failed");
    expect(screen.split("Approve?")).toHaveLength(3);
    expect(source()).toContain("a - b");
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
  });

  it("asks whether to continue at a limit", async () => {
    const talk = await session([{ calls: [READ] }, { text: "Read it." }, { text: "Went on." }], {
      args: ["run", "look", "--max-steps", "1"],
    });
    await talk.until(/● stopped: it reached its turn limit[\s\S]*Press Enter to continue/);
    talk.type("\r");
    await talk.until(/Went on\.[\s\S]*● done/);
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
  });

  it("a session that reached a limit goes on when it is continued", async () => {
    const turns = [{ calls: [READ] }, { text: "Read it." }, { text: "Went on." }];
    model = await startScriptedModel(turns);
    const cwd = { cwd: workspace.folder };
    const first = await runHaft(["run", "look", "--max-steps", "1", ...server()], cwd);
    expect(first.code).toBe(1);
    const talk = inTerminal(["run", "--continue", ...server()], cwd);
    await talk.until(/Read it\.[\s\S]*Press Enter to continue, or type another task\./);
    talk.type("\r");
    await talk.until(/Went on\.[\s\S]*● done/);
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
  });

  it("haft without arguments opens a session", async () => {
    model = await startScriptedModel([{ text: "Hello." }]);
    const env = { HAFT_BASE_URL: model.url, HAFT_MODEL: "scripted", HAFT_CONTEXT_TOKENS: "1000" };
    const talk = inTerminal([], { cwd: workspace.folder, env });
    await talk.until(/Type a task[\s\S]*0 of 1\.0k tokens · scripted/);
    talk.type("hi\r");
    await talk.until(/Hello\.[\s\S]*110 of 1\.0k tokens/);
    talk.type(CTRL_D);
    expect(await talk.ended).toBe(0);
  });
});

describe("approval modes", () => {
  it("accept edits applies file edits without a question, and plan only changes nothing", async () => {
    const talk = await session([
      { text: "Hi." },
      { calls: [READ] },
      { calls: [{ name: "edit", args: EDIT }] },
      { text: "Edited." },
    ]);
    await talk.until(idle);
    talk.type(SHIFT_TAB);
    await talk.until(/accept edits · .*tokens/);
    talk.type("do it\r");
    await talk.until(/✓ edit[\s\S]*Edited\./);
    expect(source()).toContain("a + b");
    await talk.until(idle);
    talk.type("/approve plan\r");
    await talk.until(/plan only · .*tokens/);
    talk.type("more\r");
    await talk.until(/no more turns[\s\S]*● done/);
    expect(model?.requests.at(-1)?.tools?.map((tool) => tool.function.name)).not.toContain("edit");
    expect(said().at(-1)).toMatch(/^Plan only: do not change anything\.[\s\S]*\n\nmore$/);
    expect(talk.screen()).toContain("› more");
    expect(talk.screen()).not.toContain("do not change anything");
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
  });
});

describe("slash commands", () => {
  it("change model and role, show cost and diff, undo, compact; a misspelt command gets the nearest one", async () => {
    const talk = await session(
      [{ calls: [READ] }, { calls: [{ name: "edit", args: EDIT }] }, { text: "Edited." }],
      {
        args: ["run", "fix it", "--approve", "all"],
      },
    );
    await talk.until(/Edited\.[\s\S]*\/help\n›$/);
    talk.type("/cots\r");
    await talk.until(/Did you mean \/cost\?/);
    talk.type("/cost\r");
    await talk.until(/300 input tokens, 30 output tokens/);
    talk.type("/model other\r");
    await talk.until(/The model is other/);
    talk.type("/role reader\r");
    await talk.until(/The role is reader/);
    talk.type("/diff\r");
    await talk.until(/› \/diff\nmodify src\/total\.js\n[\s\S]*\+export const total[\s\S]*\n›$/);
    talk.type("/compact\r");
    await talk.until(/will be summarized/);
    talk.type("/undo src/other.js\r");
    await talk.until(/Nothing was undone/);
    expect(source()).toContain("a + b");
    talk.type("/undo\r");
    await talk.until(/Undone: restored src\/total\.js/);
    expect(source()).toContain("a - b");
    talk.type("and?\r");
    await talk.until(/a summary replaces[\s\S]*● done/);
    expect(said().at(-1)).toContain("(The user undid your changes: restored src/total.js.");
    expect((model?.requests.at(-1) as { model?: string } | undefined)?.model).toBe("other");
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
  });
});

describe("FU4 FU5 the screen of a session", () => {
  it.each([40, 80, 120])("fits a terminal of %d columns", async (columns) => {
    const text =
      "# Plan\n\nI look at **the file** first, then `edit` it; this paragraph is long enough to be wrapped on most terminals.\n\n- an item that is long enough to be wrapped on a narrow terminal as well\n\n```js\nconst a = 1;\n```\n";
    const failing = {
      name: "execute_command",
      args: { command: "node -e 'console.log(\"2 tests failed\"); process.exit(3)'" },
    };
    const talk = await session(
      [{ text, calls: [READ, failing] }, { calls: [{ name: "edit", args: EDIT }] }, { text: "Done." }],
      {
        args: ["run", "fix the total", "--approve", "all", "--context-tokens", "128000"],
        columns,
        packs: [],
      },
    );
    await talk.until(/✓ edit[\s\S]*Done\.[\s\S]*tokens.*\n›$/);
    const screen = talk.screen();
    expect(screen.split("\n").filter((row) => row.length > columns)).toEqual([]);
    expect(screen).toMatch(/^Plan$/m);
    expect(screen).toContain("I look at the file first, then edit");
    expect(screen).toContain("• an item that is long enough");
    expect(screen).toMatch(/^✗ execute_command node.* exit 3 \d/m);
    expect(talk.colourOf("✗ execute_command")).toBe(RED);
    expect(screen).toMatch(/^ {4}2 tests failed$/m);
    expect(screen).toMatch(/^ {4}-export const/m);
    expect(talk.colourOf("    -export const", 4)).toBe(RED);
    expect(screen).not.toMatch(/[{}]"/);
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
  });
});

describe("FU2 ended sessions", () => {
  const cwd = () => ({ cwd: workspace.folder });

  it("are listed, shown, continued and undone", async () => {
    model = await startScriptedModel([
      { calls: [READ] },
      { calls: [{ name: "edit", args: EDIT }] },
      { text: "Edited." },
      { text: "Anything else?" },
    ]);
    const first = await runHaft(["run", "-", "--approve", "all", ...server()], {
      ...cwd(),
      input: "fix the total\n",
    });
    expect(first).toMatchObject({ code: 0, stdout: "Edited.\n" });
    const listed = await runHaft(["runs"], cwd());
    expect(listed.stdout).toMatch(
      /^SESSION +STATE +AGE +CHANGES +TASK\n[\w-]+ +done +\d+ s +1 file +fix the total\n$/,
    );
    const [{ runId }] = (await runHaft(["runs", "--json"], cwd())).json();
    const shown = await runHaft(["runs", "show", runId.slice(0, 6)], cwd());
    expect(shown.stdout).toMatch(
      /› fix the total[\s\S]*✓ edit src\/total\.js[\s\S]*Edited\.[\s\S]*done, 1 file/,
    );
    const again = await runHaft(["run", "and now?", "--continue", runId, ...server()], cwd());
    expect(again).toMatchObject({ code: 0, stdout: "Anything else?\n" });
    expect(said()).toEqual(["fix the total", "and now?"]);
    const preview = await runHaft(["undo", "--run", runId, "--dry-run"], cwd());
    expect(preview.stderr).toContain("modify src/total.js (edit,");
    expect(source()).toContain("a + b");
    const undone = await runHaft(["undo", "--run", "last"], cwd());
    expect(undone).toMatchObject({ code: 0, stdout: "modify src/total.js\n" });
    expect(source()).toContain("a - b");
  });

  it("are undone up to a file that has changed since, and the output lists what is undone", async () => {
    const write = (path: string) => ({ name: "write_file", args: { path, content: path } });
    model = await startScriptedModel([{ calls: [write("a")] }, { calls: [write("b")] }, { text: "Done." }]);
    await runHaft(["run", "write", "--approve", "all", ...server()], cwd());
    workspace.write("a", "mine");
    const undone = await runHaft(["undo", "--run", "last"], cwd());
    expect(undone).toMatchObject({ code: 1, stdout: "delete b\n" });
    expect(undone.stderr).toMatch(
      /STALE_FILE: .*: a\nThe newer changes of this session are undone; this call/,
    );
    workspace.write("a", "a");
    expect(await runHaft(["undo", "--run", "last"], cwd())).toMatchObject({ code: 0, stdout: "delete a\n" });
  });

  it("one that stopped early continues without a terminal and without a new task", async () => {
    model = await startScriptedModel([{ calls: [READ] }, { text: "Read it." }, { text: "Went on." }]);
    await runHaft(["run", "look", "--max-steps", "1", ...server()], cwd());
    const again = await runHaft(["run", "--continue", ...server()], cwd());
    expect(again).toMatchObject({ code: 0, stdout: "Went on.\n" });
    expect(said()).toEqual(["look", "Continue where you stopped."]);
  });

  it("one that is done needs a task to continue without a terminal", async () => {
    model = await startScriptedModel([{ text: "Hello." }]);
    await runHaft(["run", "hi", ...server()], cwd());
    const again = await runHaft(["run", "--continue", ...server()], cwd());
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(/RUN_OVER[\s\S]*haft run --continue [\w-]+ "TASK"/);
    const none = await runHaft(["run", "x", "--continue", "zzz", ...server()], cwd());
    expect(none.stderr).toContain("haft runs lists them.");
  });
});
