import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inTerminal } from "./fixtures/pty-session.js";
import { runHaft } from "./fixtures/run-haft.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

/** A longer id is truncated; its beginning is enough for every command that accepts one. */
const KEY_COLUMNS = 17;

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeEach(async () => {
  workspace = temporaryWorkspace();
  const path = "a/folder/with/a/name/that/is/longer/than/most/and/a-file-with-a-long-name.txt";
  const args = JSON.stringify({ path, content: "hi", create_dirs: true });
  const made = await runHaft(["call", "write_file", args, "--approve", "all"], { cwd: workspace.folder });
  expect(made.code).toBe(0);
});
afterEach(() => workspace.remove());

describe("FU5 help fits the terminal", () => {
  it.each([40, 80])("%d columns: no word is broken", async (columns) => {
    for (const args of [["--help"], ["undo", "--help"], ["help", "limits"]]) {
      const shown = inTerminal(args, { cwd: workspace.folder, columns, rows: 90 });
      expect(await shown.ended).toBe(0);
      const { stdout } = await runHaft(args, { cwd: workspace.folder });
      const words = new Set(stdout.split(/\s+/));
      // An example is a command to copy, so it is not wrapped.
      const [help = ""] = shown.visible().join("\n").split("Example:");
      expect(help.split(/\s+/).filter((word) => !words.has(word))).toEqual([]);
    }
  });
});

describe("FU5 errors fit the terminal", () => {
  it("a warning wraps between words", async () => {
    workspace.write("haft.config.js", "export default {};");
    const shown = inTerminal(["call", "glob", '{"pattern": "*.js"}'], { cwd: workspace.folder, columns: 40 });
    expect(await shown.ended).toBe(0);
    expect(shown.visible().join(" ")).toContain("is not trusted and was not executed. Review and trust it:");
  });

  it("the error of a call wraps between words", async () => {
    const args = ["call", "delete_file", '{"path": "a", "recursive": true}', "--approve", "none"];
    const shown = inTerminal(args, { cwd: workspace.folder, columns: 40 });
    expect(await shown.ended).toBe(1);
    const { stderr } = await runHaft(args, { cwd: workspace.folder });
    const words = new Set(stderr.split(/\s+/));
    expect(words.has("APPROVAL_REQUIRED:")).toBe(true);
    const rows = shown.visible().join("\n");
    expect(rows.split(/\s+/).filter((word) => !words.has(word))).toEqual([]);
  });

  it("a missing option names its values", async () => {
    const { stderr } = await runHaft(["mcp", "install"], { cwd: workspace.folder });
    expect(stderr).toMatch(
      /required option '--client <name>' not specified\nAllowed: claude-code, .*zed\.\n/,
    );
  });
});

describe("FU5 tables fit the terminal", () => {
  it("40 columns: doctor wraps between words, below the text of its row", async () => {
    const shown = inTerminal(["doctor"], { cwd: workspace.folder, columns: 40, rows: 60 });
    await shown.ended;
    expect(shown.screen()).toMatch(/^✓ terminal {2}xterm-256color; approvals\n {12}can be answered$/m);
  });

  it("80 columns: package names are whole, and permissions give way", async () => {
    const shown = inTerminal(["tools"], { cwd: workspace.folder, columns: 80, rows: 60 });
    await shown.ended;
    expect(shown.screen()).toMatch(/^grep +search +ReadFiles +auto +@haft\/tool-search$/m);
  });

  it("40 columns: names and ids are complete, or long enough to type", async () => {
    const named = { tools: "name", changes: "callId" };
    for (const [command, key] of Object.entries(named)) {
      const shown = inTerminal([command], { cwd: workspace.folder, columns: 40, rows: 60 });
      expect(await shown.ended, command).toBe(0);
      const entries: Record<string, string>[] = (
        await runHaft([command, "--json"], { cwd: workspace.folder })
      ).json();
      for (const entry of entries) expect(shown.screen()).toContain(entry[key]?.slice(0, KEY_COLUMNS));
    }
  });

  it.each([40, 80, 120])("%d columns: tools, changes and audit keep one row per entry", async (columns) => {
    for (const command of ["tools", "changes", "audit"]) {
      const shown = inTerminal([command], { cwd: workspace.folder, columns, rows: 60 });
      expect(await shown.ended, command).toBe(0);
      const rows = shown.screen().split("\n");
      expect(Math.max(...rows.map((row) => row.length)), shown.screen()).toBeLessThanOrEqual(columns);
      const entries = (await runHaft([command, "--json"], { cwd: workspace.folder })).json();
      expect(rows, command).toHaveLength(entries.length + 1);
    }
  });
});
