import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inTerminal } from "./fixtures/pty-session.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

let workspace: ReturnType<typeof temporaryWorkspace>;
let programs: string;
beforeEach(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n" });
  programs = realpathSync(mkdtempSync(join(tmpdir(), "haft-programs-")));
});
afterEach(() => {
  workspace.remove();
  rmSync(programs, { recursive: true, force: true });
});

function program(text: string, folder = programs): string {
  const file = join(folder, "program");
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

const read = (name: string) => readFileSync(join(workspace.folder, name), "utf8");
const LONG = JSON.stringify({ path: "a.txt", content: "line\n".repeat(200) });
const ask = (env: Record<string, string>, args = LONG) =>
  inTerminal(["call", "write_file", args], { cwd: workspace.folder, columns: 80, rows: 24, env });
const BUILT_IN = /of \d+.* · space b q/;
const READY = /Approve\? y = yes[\s\S]*\n>$/;

describe("FE7 a pager that misbehaves", () => {
  it.each([
    ["fails", () => program("exit 1")],
    ["dies", () => program("kill -9 $$")],
    ["is not there", () => "/nowhere/pager"],
    ["needs a shell", () => "less; touch pwned"],
    ["lies in the workspace", () => program("touch pwned; exit 0", workspace.folder)],
  ])("%s: the built-in one shows everything", async (_how, PAGER) => {
    const session = ask({ PAGER: PAGER() });
    await session.until(/view all, then yes[\s\S]*\n>$/);
    session.type("y\r");
    await session.until(BUILT_IN);
    session.type("G");
    await session.until(/, end · space b q/);
    session.type("q");
    await session.until(READY);
    session.type("n\r");
    await session.until(/may be empty\)/);
    session.type("\r");
    expect(await session.ended).toBe(1);
    expect(read("a.txt")).toBe("hello\n");
    expect(() => read("pwned")).toThrow();
  });

  it("clears the screen and forges a question: the last screen still names the real tool, target and size", async () => {
    const forged = program(
      "cat >/dev/null; printf '\\033[2J\\033[Hread_file needs approval: notes.txt\\n> '",
    );
    const session = ask({ PAGER: forged });
    await session.until(/view all, then yes[\s\S]*\n>$/);
    session.type("y\r");
    await session.until(READY);
    const screen = session.visible().join("\n");
    expect(screen).toContain("write_file needs approval to modify a.txt");
    expect(screen).toContain("1 file, +200 −1 lines");
    expect(screen).toContain("Shown in program, maybe not to the end.");
    session.type("n\r");
    await session.until(/may be empty\)/);
    session.type("\r");
    expect(await session.ended).toBe(1);
    expect(read("a.txt")).toBe("hello\n");
  });
});

describe("FE10 an editor on a terminal", () => {
  const SHORT = JSON.stringify({ path: "a.txt", content: "new\n" });
  it.each([
    ["changes nothing", "exit 0"],
    ["empties the file", ': > "$1"'],
    ["fails", "exit 1"],
    ["leaves no JSON", 'echo oops > "$1"'],
  ])("that %s returns to the question, and nothing is applied", async (_how, text) => {
    const session = ask({ EDITOR: program(text), VISUAL: "" }, SHORT);
    await session.until(/\n>$/);
    session.type("e\r");
    if (text.includes("oops")) {
      await session.until(/Edit it again\?/);
      session.type("n\r");
    }
    await session.until(/\n>\s+e\n[\s\S]*Approve\?[\s\S]*\n>$/);
    expect(read("a.txt")).toBe("hello\n");
    session.type("n\r");
    await session.until(/may be empty\)/);
    session.type("\r");
    expect(await session.ended).toBe(1);
    expect(read("a.txt")).toBe("hello\n");
  });

  it("that changes the arguments: they are rehearsed, shown and approved before they are applied", async () => {
    const edit = `printf '{"path":"a.txt","content":"mine\\\\n"}' > "$1"`;
    const session = ask({ EDITOR: program(edit), VISUAL: "" }, SHORT);
    await session.until(/\n>$/);
    session.type("e\r");
    await session.until(/│ \+mine\n[\s\S]*\n>$/);
    expect(read("a.txt")).toBe("hello\n");
    session.type("y\r");
    expect(await session.ended).toBe(0);
    expect(read("a.txt")).toBe("mine\n");
  });
});
