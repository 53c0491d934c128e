import { startScriptedModel } from "@haft/agent/scripted-model";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inTerminal } from "./fixtures/pty-session.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const COLUMNS = [40, 80, 120];

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  workspace = temporaryWorkspace({ "src/total.js": "export const total = (a, b) => a - b;\n" });
});
afterEach(() => workspace.remove());

const TEXT = `## Plan

I read **the file** first and then change it with \`edit\`; this sentence is long enough to wrap on most terminals.

> **Note:** a *quote* with a [link](https://example.com/a_b) in it.

- an item that is long enough to wrap on a narrow terminal
  1. a nested item with *emphasis*, which keeps its indentation
- 漢字 and other wide characters count as two columns each: 漢字漢字漢字漢字漢字漢字

\`\`\`js
const total = (a, b) => a + b;
\`\`\``;
const READ = { name: "read_file", args: { path: "src/total.js" } };
const EDIT = { name: "edit", args: { path: "src/total.js", old_string: "a - b", new_string: "a + b" } };
const FAIL = {
  name: "execute_command",
  args: { command: "node -e 'console.log(\"2 tests failed\"); process.exit(3)'" },
};

/** Removes what differs between runs: names, times, and the cut of a row that makes room for a time. */
function steady(screen: string): string {
  return screen
    .replace(/^session .*$/m, "session ID as coder in FOLDER")
    .replace(/\b\d+(\.\d+)? m?s\b/g, "N s")
    .replace(/^([✓✗] \S+) .*…/gm, "$1 …")
    .replace(/^● [^)]*\)/m, (tally) => tally.replace(/\s+/g, " "));
}

describe.each(COLUMNS)("FU5 screens of %d columns", (columns) => {
  it("a task with a question, a failing command and slash commands", async () => {
    const model = await startScriptedModel([
      { text: TEXT, calls: [READ] },
      { text: "One change.", calls: [EDIT] },
      { calls: [FAIL] },
      { text: "The tests **fail**." },
    ]);
    const args = [
      "run",
      "fix the total",
      "--base-url",
      model.url,
      "--model",
      "scripted",
      "--context-tokens",
      "128000",
    ];
    const talk = inTerminal(args, { cwd: workspace.folder, columns, rows: 45 });
    try {
      await talk.until(/edit needs approval[\s\S]*\n> ?$/);
      const question = talk.visible().filter((row, index, rows) => row !== "" || rows[index - 1] !== "");
      talk.type("y\r");
      await talk.until(/fail\.[\s\S]*tokens.*\n›$/);
      talk.type("/undo\r");
      await talk.until(/Undone: [\s\S]*\n›$/);
      talk.type("/approve plan\r");
      await talk.until(/\nplan only[^\n]*tokens[^\n]*\n›$/);
      const rows = talk.screen().split("\n");
      expect(rows.filter((row) => [...row].length > columns)).toEqual([]);
      await expect(steady(question.join("\n").trimEnd())).toMatchFileSnapshot(
        `fixtures/screens/question-${columns}.txt`,
      );
      await expect(steady(rows.join("\n"))).toMatchFileSnapshot(`fixtures/screens/session-${columns}.txt`);
      talk.type("/quit\r");
      expect(await talk.ended).toBe(0);
    } finally {
      await model.close();
    }
  });

  it("help", async () => {
    const env = { HAFT_BASE_URL: "http://127.0.0.1:9", HAFT_MODEL: "scripted" };
    const talk = inTerminal([], { cwd: workspace.folder, columns, rows: 45, env });
    await talk.until(/Type a task[\s\S]*\n›$/);
    talk.type("/help\r");
    await talk.until(/Ctrl-D[\s\S]*\n›$/);
    await expect(steady(talk.screen())).toMatchFileSnapshot(`fixtures/screens/help-${columns}.txt`);
    talk.type("/quit\r");
    expect(await talk.ended).toBe(0);
  });
});
