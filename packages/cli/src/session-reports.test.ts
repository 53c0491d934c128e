import { startScriptedModel } from "@haft/agent/scripted-model";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inTerminal } from "./fixtures/pty-session.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  workspace = temporaryWorkspace({
    "src/total.js": "export const total = (a, b) => a - b;\n",
    "haft.json": '{"prices": {"inputPerMillion": 3, "outputPerMillion": 15}}',
  });
});
afterEach(() => workspace.remove());

const LONG = Array.from({ length: 60 }, (_, row) => `line ${row + 1} of a file that does not fit`).join("\n");
const ANSWERS = [
  { calls: [{ name: "read_file", args: { path: "src/total.js" } }] },
  { calls: [{ name: "edit", args: { path: "src/total.js", old_string: "a - b", new_string: "a + b" } }] },
  { text: "Changed.", inputTokens: 12_345 },
  { calls: [{ name: "create_file", args: { path: "src/long.txt", content: LONG } }] },
  { text: "Not written." },
];

/** Removes what differs between runs: names, times, and the cut of a row that makes room for a time. */
function steady(screen: string): string {
  return screen
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}\b/g, "01234567-89ab")
    .replace(/\b\d+(\.\d+)? m?s\b/g, "N s");
}

describe.each([40, 80, 120])("FU5 reports of %d columns", (columns) => {
  it("the diff and the cost of a session, a long question in the pager, and the list of sessions", async () => {
    const model = await startScriptedModel(ANSWERS);
    const server = ["--base-url", model.url, "--model", "scripted", "--context-tokens", "128000"];
    const args = ["run", "fix the total", "--config", "haft.json", ...server];
    const talk = inTerminal(args, { cwd: workspace.folder, columns, rows: 45 });
    try {
      await talk.until(/edit needs approval[\s\S]*\n> ?$/);
      talk.type("y\r");
      await talk.until(/Changed\.[\s\S]*\n›$/);
      talk.type("/diff\r");
      await talk.until(/› \/diff\n[\s\S]*a \+ b[\s\S]*\n›$/);
      talk.type("/cost\r");
      await talk.until(/› \/cost\n[\s\S]*\$[\s\S]*\n›$/);
      const reports = talk.screen().slice(talk.screen().indexOf("› /diff"));
      await expect(steady(reports)).toMatchFileSnapshot(`fixtures/screens/reports-${columns}.txt`);
      talk.type("write it\r");
      await talk.until(/create_file needs approval[\s\S]*\n> ?$/);
      talk.type("v\r");
      await talk.until(/line 20 of[\s\S]* of \d+[^\n]*$/);
      const pager = talk.visible().join("\n").trimEnd();
      await expect(pager).toMatchFileSnapshot(`fixtures/screens/pager-${columns}.txt`);
      talk.type("q");
      await talk.until(/\n> ?$/);
      talk.type("n\r");
      await talk.until(/Not written\.[\s\S]*\n›$|Reason[^\n]*$/);
      if (!talk.screen().includes("Not written.")) talk.type("\r");
      await talk.until(/Not written\.[\s\S]*\n›$/);
      talk.type("/quit\r");
      expect(await talk.ended).toBe(0);
      const table = inTerminal(["runs"], { cwd: workspace.folder, columns });
      expect(await table.ended).toBe(0);
      // The age has one or two digits, so the columns after it may move.
      const listed = steady(table.screen()).replace(/ {2,}/g, "  ");
      await expect(listed).toMatchFileSnapshot(`fixtures/screens/runs-${columns}.txt`);
      for (const shown of [reports, pager, table.screen()])
        expect(shown.split("\n").filter((row) => [...row].length > columns)).toEqual([]);
    } finally {
      await model.close();
    }
  });
});
