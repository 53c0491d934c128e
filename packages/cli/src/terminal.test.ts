import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BIN, runHaft } from "./fixtures/run-haft.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n" });
});
afterEach(() => workspace.remove());

/** The command on a pseudo-terminal (util-linux `script`), typing a line whenever a question ends. */
function inTerminal(
  command: string,
  lines: readonly string[],
): Promise<{ code: number | null; screen: string }> {
  const rest = [...lines];
  return new Promise((resolve, reject) => {
    const child = spawn("/usr/bin/script", ["-qec", `${process.execPath} ${BIN} ${command}`, "/dev/null"], {
      cwd: workspace.folder,
      env: { ...process.env, TERM: "xterm", NO_COLOR: "1", XDG_STATE_HOME: `${workspace.folder}-state` },
    });
    let screen = "";
    let answeredUpTo = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      screen += chunk.toString("utf8");
      const question = screen.slice(answeredUpTo);
      if (!/\n> |may be empty\) |Arguments: [\s\S]*\}/.test(question)) return;
      answeredUpTo = screen.length;
      child.stdin.write(rest.shift() ?? "n\n");
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, screen }));
  });
}

const WRITE = `call write_file '{"path":"a.txt","content":"new\\n"}'`;
const content = () => readFileSync(join(workspace.folder, "a.txt"), "utf8");

describe("a person at a terminal", () => {
  it("is asked by default, and what they approve is applied", async () => {
    const { code, screen } = await inTerminal(WRITE, ["y\r"]);
    expect(code).toBe(0);
    expect(screen).toContain("write_file needs approval");
    expect(screen).toContain("+new");
    expect(content()).toBe("new\n");
  });

  it("can change the arguments before they run", async () => {
    const killLine = "\u0015";
    const { code, screen } = await inTerminal(WRITE, [
      "e\r",
      `${killLine}{"path":"a.txt","content":"mine\\n"}\r`,
    ]);
    expect(screen).toContain("arguments changed by the user");
    expect(code).toBe(0);
    expect(content()).toBe("mine\n");
  });

  it("can say always, and is not asked again", async () => {
    await inTerminal(WRITE, ["a\r"]);
    expect(content()).toBe("new\n");
    workspace.write("a.txt", "hello\n");
    const again = await inTerminal(WRITE, []);
    expect(again.screen).not.toContain("Approve?");
    expect(content()).toBe("new\n");
  });

  it("can refuse, and nothing happens", async () => {
    const { code } = await inTerminal(WRITE, ["n\r", "\r"]);
    expect(code).toBe(1);
    expect(content()).toBe("hello\n");
  });
});

describe("a reader that stops early", () => {
  it("is no failure", async () => {
    const child = spawn(
      "sh",
      ["-c", `${process.execPath} ${BIN} schema | head -c 1; echo " \${PIPESTATUS:-ok}"`],
      {
        cwd: workspace.folder,
      },
    );
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    await new Promise((resolve) => child.on("close", resolve));
    expect(out).toMatch(/^\[/);
    expect(err).toBe("");
  });

  it("colour and control sequences appear on no pipe", async () => {
    const { stdout, stderr } = await runHaft(["tools"], { cwd: workspace.folder });
    expect(stdout + stderr).not.toContain("\u001b");
  });
});
