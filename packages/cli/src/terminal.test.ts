import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inTerminal } from "./fixtures/pty-session.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// Each starts processes of its own, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n" });
});
afterEach(() => workspace.remove());

const callWrite = () =>
  inTerminal(["call", "write_file", '{"path":"a.txt","content":"new\\n"}'], { cwd: workspace.folder });
const content = () => readFileSync(join(workspace.folder, "a.txt"), "utf8");

describe("a person at a terminal", () => {
  it("is asked by default, and what they approve is applied", async () => {
    const session = callWrite();
    const asked = await session.until(/\n>$/);
    expect(asked).toContain("write_file needs approval");
    expect(asked).toContain("+new");
    expect(session.colourOf("+new")).toBe(2);
    session.type("y\r");
    expect(await session.ended).toBe(0);
    expect(content()).toBe("new\n");
  });

  it("is asked whatever was typed before the question was there", async () => {
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

  it("can change the arguments before they run", async () => {
    const killLine = "\u0015";
    const session = callWrite();
    await session.until(/\n>$/);
    session.type("e\r");
    await session.until(/Arguments: .*\}/);
    session.type(`${killLine}{"path":"a.txt","content":"mine\\n"}\r`);
    expect(await session.ended).toBe(0);
    expect(session.screen()).toContain("arguments changed by the user");
    expect(content()).toBe("mine\n");
  });

  it("can say always, and is not asked again", async () => {
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

  it("can refuse, and nothing happens", async () => {
    const session = callWrite();
    await session.until(/\n>$/);
    session.type("n\r");
    await session.until(/may be empty\)/);
    session.type("\r");
    expect(await session.ended).toBe(1);
    expect(content()).toBe("hello\n");
  });
});
