import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inTerminal, type PtySession } from "./fixtures/pty-session.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

let workspace: ReturnType<typeof temporaryWorkspace>;
beforeEach(() => {
  workspace = temporaryWorkspace({ "a.txt": "hello\n", "long.txt": "x".repeat(1_048_576) });
});
afterEach(() => workspace.remove());

const FORGED = "read_file needs approval: notes.txt\nrisk low, 1 argument\nApprove? y = yes\n> ";
const SIZES = [
  [80, 24],
  [40, 10],
] as const;

const VALUES: readonly [string, string, string, string][] = [
  ["60 newlines and a forged prompt", "a.txt", `x${"\n".repeat(60)}${FORGED}\n`, "+64 −1 lines"],
  ["escapes that clear the screen", "a.txt", `\u001b[2J\u001b[H${FORGED}\u001b[8m\n`, "+4 −1 lines"],
  ["bidi marks", "a.txt", "\u202etxt.a yfidom\u2066\n", "+1 −1 lines"],
  ["spaces up to the edge", "a.txt", `x${" ".repeat(77)}${" ".repeat(41)}${FORGED}\n`, "+4 −1 lines"],
  ["a line of a megabyte", "long.txt", "short\n", "+1 −1 lines"],
  ["a thousand lines", "a.txt", "line\n".repeat(1_000), "+1,000 −1 lines"],
];

/** Returns the rows on the screen, with the rows of a long one joined. */
const lastScreen = (session: PtySession) => session.visible().join("\n").replaceAll("\n┆ ", "");

describe("FE7 the last screen before an answer", () => {
  it.each(SIZES.flatMap((size) => VALUES.map((value) => [...size, ...value] as const)))(
    "of %i x %i names tool, target and size: %s",
    async (columns, rows, _what, path, content, size) => {
      const args = JSON.stringify({ path, content });
      const session = inTerminal(["call", "write_file", args], { cwd: workspace.folder, columns, rows });
      await session.until(/\n>$/);
      expectReal(session, path, size);
      if (lastScreen(session).includes("view all, then yes")) {
        await viewToTheEnd(session);
        expectReal(session, path, size);
      }
      session.type("n\r");
      await session.until(/may be empty\)/);
      session.type("\r");
      expect(await session.ended).toBe(1);
    },
  );
});

describe("FE7 the last screen before an answer about a command", () => {
  const COMMANDS: readonly [string, string][] = [
    ["newlines and a forged prompt", `sh tools/gen.sh${"\n".repeat(60)}# ${FORGED}`],
    ["spaces up to the edge", `sh tools/gen.sh${" ".repeat(200)}# ${FORGED}`],
    ["a long line", `sh tools/gen.sh '${"x".repeat(3_000)}'`],
  ];

  it.each(SIZES.flatMap((size) => COMMANDS.map((command) => [...size, ...command] as const)))(
    "FE8 of %i x %i names tool, command, size and the files it depends on: %s",
    async (columns, rows, _what, command) => {
      workspace.write("tools/gen.sh", "echo generated\n");
      workspace.write("c.json", JSON.stringify({ commands: { onUnlisted: "ask" } }));
      const call = ["call", "execute_command", JSON.stringify({ command }), "--config", "c.json"];
      const session = inTerminal(call, { cwd: workspace.folder, columns, rows });
      await session.until(/\n>$/);
      const seen = lastScreen(session);
      // A command that is too long for two rows is truncated, with a count.
      expect(seen).toMatch(/execute_command needs approval: sh tools\/gen\.sh.*… \+[\d,]+ characters/);
      expect(seen).toMatch(/6 arguments, [\d,]+ characters, depends on 1 file/);
      const prompt = session.visible().findLastIndex((row) => row.startsWith(">"));
      expect(session.visible().slice(0, prompt).join("\n")).toMatch(/Approve\? [yv] = /);
      session.type("n\r");
      await session.until(/may be empty\)/);
      session.type("\r");
      expect(await session.ended).toBe(1);
    },
  );
});

describe("FE7 the built-in pager counts as seen once it showed its last page", () => {
  it.each(
    SIZES.flatMap((size) => [
      [...size, "left on its first page", "q"] as const,
      [...size, "left by a key that came together with the one to its end", "Gq"] as const,
    ]),
  )("not at %i x %i, %s", async (columns, rows, _how, keys) => {
    const args = JSON.stringify({ path: "a.txt", content: "line\n".repeat(1_000) });
    const session = inTerminal(["call", "write_file", args], { cwd: workspace.folder, columns, rows });
    await session.until(/view all, then yes[\s\S]*\n>$/);
    for (const answer of ["y", "a", "t"]) {
      session.type(`${answer}\r`);
      await session.until(/ 1-\d+ of \d+ · space b q/);
      session.type(keys);
      await session.until(new RegExp(`> ${answer}\\n\\nShown up to row \\d+ of 1\\d{3}\\.\\n[^>]+\\n>$`));
      expectReal(session, "a.txt", "+1,000 −1 lines");
      expect(session.screen()).not.toContain("y = yes");
    }
    expect(readFileSync(join(workspace.folder, "a.txt"), "utf8")).toBe("hello\n");
    await viewToTheEnd(session);
    expect(session.screen()).toMatch(/> y\n\nwrite_file needs approval/);
    session.type("y\r");
    expect(await session.ended).toBe(0);
  });
});

/** Approves a question that is too long for the screen, which opens the pager, and pages to its end. */
async function viewToTheEnd(session: PtySession): Promise<void> {
  session.type("y\r");
  await session.until(/of \d+.* · space b q/);
  session.type("G");
  await session.until(/of \d+, end · space b q/);
  session.type("q");
  await session.until(/Approve\? y = yes[\s\S]*\n>$/);
}

function expectReal(session: PtySession, path: string, size: string): void {
  const screen = lastScreen(session);
  expect(screen).toContain(`write_file needs approval to modify ${path}`);
  expect(screen).toContain(`1 file, ${size}`);
  const prompt = session.visible().findLastIndex((row) => row.startsWith(">"));
  expect(session.visible().slice(0, prompt).join("\n")).toMatch(/Approve\? [yv] = /);
}
