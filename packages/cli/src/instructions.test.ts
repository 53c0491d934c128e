import { startScriptedModel } from "@haft/agent/scripted-model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeAll(() => {
  workspace = temporaryWorkspace({
    "AGENTS.md": "Rules of root.\n",
    "src/deep/AGENTS.md": "Rules of deep.\n",
    "src/deep/x.js": "x\n",
    "docs/CLAUDE.md": "Rules of docs.\n",
    "docs/page.md": "page\n",
  });
});
afterAll(() => workspace.remove());

const read = (path: string) => ({ calls: [{ name: "read_file", args: { path } }] });

describe("FU1 instructions of the folders that a run touches", () => {
  it("are included from the turn after a file of the folder was read, within one task", async () => {
    const model = await startScriptedModel([read("src/deep/x.js"), read("docs/page.md"), { text: "Done." }]);
    await runInProcess(["run", "look around", "--base-url", model.url, "--model", "m"], {
      cwd: workspace.folder,
    });
    await model.close();
    const told = model.requests.map(({ messages }) =>
      [...String(messages[0]?.content).matchAll(/Rules of (\w+)/g)].map((match) => match[1]),
    );
    expect(told).toEqual([["root"], ["root", "deep"], ["root", "docs", "deep"]]);
  });
});
