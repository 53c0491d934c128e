import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inTerminal, onTerminal } from "./fixtures/pty-session.js";
import { BIN } from "./fixtures/run-haft.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n" });
});
afterEach(() => workspace.remove());

const callWrite = () =>
  inTerminal(["call", "write_file", '{"path":"a.txt","content":"new\\n"}'], { cwd: workspace.folder });
const content = () => readFileSync(join(workspace.folder, "a.txt"), "utf8");

describe("a prompt in a terminal", () => {
  it("appears by default, and approved changes are applied", async () => {
    const session = callWrite();
    const asked = await session.until(/\n>$/);
    expect(asked).toContain("write_file needs approval to modify a.txt");
    expect(asked).toContain("+new");
    expect(session.colourOf("+new", 2)).toBe(2);
    session.type("y\r");
    expect(await session.ended).toBe(0);
    expect(content()).toBe("new\n");
  });

  it("appears even if keys were typed before it", async () => {
    const session = callWrite();
    session.type("y\ry\ry");
    await session.until(/\n>$/);
    expect(content()).toBe("hello\n");
    session.type("n\r");
    await session.until(/may be empty\)/);
    session.type("\r");
    expect(await session.ended).toBe(1);
    expect(content()).toBe("hello\n");
  });

  it("FE10 lets the person edit the arguments and shows their effect before they run", async () => {
    const killLine = "\u0015";
    const session = callWrite();
    await session.until(/\n>$/);
    session.type("e\r");
    await session.until(/Arguments: .*\}/);
    session.type(`${killLine}{"path":"a.txt","content":"mine\\n"}\r`);
    await session.until(/│ \+mine\n[\s\S]*\n>$/);
    expect(content()).toBe("hello\n");
    session.type("y\r");
    expect(await session.ended).toBe(0);
    expect(session.screen()).toContain("arguments changed by the user");
    expect(content()).toBe("mine\n");
  });

  it("FE10 shows edited text that is not an object again, with the reason", async () => {
    const [killLine, backspace] = ["\u0015", "\u007f"];
    const session = callWrite();
    await session.until(/\n>$/);
    session.type("e\r");
    await session.until(/Arguments: .*\}$/);
    session.type(`${backspace}\r`);
    await session.until(
      /not a JSON object: [\s\S]*Correct it, or empty the line[\s\S]*\nArguments: \{.*false$/,
    );
    session.type(`${killLine}{"path":"a.txt","content":"mine\\n"}\r`);
    await session.until(/│ \+mine\n[\s\S]*\n>$/);
    session.type("y\r");
    expect(await session.ended).toBe(0);
    expect(content()).toBe("mine\n");
  });

  it("appears on the terminal of standard output if standard error is a file", async () => {
    const args = ["call", "write_file", '{"path":"a.txt","content":"new\\n"}'];
    const shell = ["/bin/sh", "-c", '"$0" "$@" 2>errors.txt', process.execPath, BIN, ...args];
    const session = onTerminal(shell, { cwd: workspace.folder });
    expect(await session.until(/\n>$/)).toContain("write_file needs approval to modify a.txt");
    session.type("y\r");
    expect(await session.ended).toBe(0);
    expect(content()).toBe("new\n");
    expect(readFileSync(join(workspace.folder, "errors.txt"), "utf8")).toBe("");
  });

  it("accepts always, and does not appear again", async () => {
    const session = callWrite();
    expect(await session.until(/\n>$/)).toContain("(until haft policy revoke)");
    session.type("a\r");
    expect(await session.ended).toBe(0);
    expect(content()).toBe("new\n");
    workspace.write("a.txt", "hello\n");
    const again = callWrite();
    expect(await again.ended).toBe(0);
    expect(again.screen()).not.toContain("Approve?");
    expect(content()).toBe("new\n");
  });

  it("accepts a denial, and nothing changes", async () => {
    const session = callWrite();
    await session.until(/\n>$/);
    session.type("n\r");
    await session.until(/may be empty\)/);
    session.type("\r");
    expect(await session.ended).toBe(1);
    expect(content()).toBe("hello\n");
  });

  it("Ctrl-C cancels a single call with exit code 130", async () => {
    const session = callWrite();
    expect(await session.until(/\n>$/)).not.toMatch(/session/);
    session.type("\u0003");
    expect(await session.ended).toBe(130);
    expect(session.screen()).toMatch(/^CANCELLED/m);
    expect(content()).toBe("hello\n");
  });
});
