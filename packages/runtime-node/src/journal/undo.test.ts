import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OverlayWorkspace } from "@haft/core/workspace";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";

let temp: TemporaryWorkspace;
beforeEach(async () => {
  temp = await temporaryWorkspace({
    "a.txt": "a",
    "b.txt": "b",
    "dir/c.txt": "c",
    "dir/sub/d.bin": Uint8Array.of(0, 1, 2),
    "dir/link": { link: "c.txt" },
  });
  chmodSync(join(temp.root, "a.txt"), 0o755);
});
afterEach(() => temp.dispose());

const read = (path: string) => readFileSync(join(temp.root, path), "utf8");

/** Returns names, types, permissions of files, link targets and contents of everything. */
function picture(): string {
  const names = execFileSync("find", [temp.root, "-printf", "%P %y %l %M "], { encoding: "utf8" });
  const sums = execFileSync(
    "sh",
    ["-c", `cd "${temp.root}" && find . -type f -printf '%p %m ' -exec md5sum {} ';' | sort`],
    { encoding: "utf8" },
  );
  return `${names.split(" ").sort().join(" ")}\n${sums}`;
}

describe("undo", () => {
  it("S1.Q3 undoes every kind of change, newest first", async () => {
    const steps: ((ws: OverlayWorkspace) => Promise<unknown>)[] = [
      (ws) => ws.writeText("a.txt", "changed", { mode: 0o600 }),
      (ws) => ws.createText("new/er/n.txt", "n"),
      (ws) => ws.createLink("link", "a.txt"),
      (ws) => ws.setDirectoryMode("dir/sub", 0o500),
      async (ws) => {
        await ws.writeText("dir/c.txt", "cc");
        await ws.setDirectoryMode("dir", 0o750);
      },
      (ws) => ws.remove("b.txt"),
      (ws) => ws.remove("dir", { recursive: true }),
      (ws) => ws.move("a.txt", "moved.txt"),
      (ws) => ws.move("new", "renamed"),
      (ws) => ws.move("renamed/er/n.txt", "moved.txt", { overwrite: true }),
      (ws) => ws.remove("link"),
      (ws) => ws.move("renamed", "moved.txt", { overwrite: true }),
      (ws) => ws.move("moved.txt", "renamed"),
      (ws) => ws.createText("moved.txt", "m"),
      async (ws) => {
        await ws.createText("x/y.txt", "y");
        await ws.move("x", "z");
        await ws.writeText("z/y.txt", "yy");
        await ws.writeText("moved.txt", "all");
      },
    ];
    const pictures = [picture()];
    for (const step of steps) {
      await temp.change(step);
      pictures.push(picture());
    }
    for (let index = steps.length - 1; index >= 0; index -= 1) {
      await temp.workspace.undo();
      expect(picture(), `after undoing step ${index}`).toBe(pictures[index]);
    }
    expect((await temp.workspace.journal.list()).filter(({ state }) => state === "undone")).toHaveLength(
      steps.length,
    );
    await expect(temp.workspace.undo()).rejects.toMatchObject({ code: "INVALID_ARGUMENTS" });
  });

  it("undoes one call among others, and an undo itself", async () => {
    await temp.change((ws) => ws.writeText("a.txt", "first"), { callId: "first" });
    await temp.change((ws) => ws.writeText("b.txt", "second"), { callId: "second" });
    await temp.workspace.undo("first");
    expect([read("a.txt"), read("b.txt")]).toEqual(["a", "second"]);
    const [, , undo] = await temp.workspace.journal.list();
    expect(undo).toMatchObject({ tool: "undo", undoes: "first", state: "done" });
    await temp.workspace.undo(undo?.callId);
    expect(read("a.txt")).toBe("first");
    await expect(temp.workspace.undo("first")).rejects.toThrow(/undone already/);
    await expect(temp.workspace.undo("nobody")).rejects.toThrow(/knows no call/);
  });

  it("refuses, and names every path that has changed since the call", async () => {
    await temp.change(async (ws) => {
      await ws.writeText("a.txt", "mine");
      await ws.createText("new.txt", "mine");
      await ws.remove("b.txt");
      await ws.move("dir", "moved");
    });
    temp.put({
      "a.txt": "theirs",
      "new.txt": "theirs",
      "b.txt": "theirs",
      "moved/c.txt": "theirs",
      "dir/x": "theirs",
    });
    const before = picture();
    const refusal = await temp.workspace.journal.planUndo().catch((thrown: unknown) => thrown);
    expect(refusal).toMatchObject({ code: "STALE_FILE" });
    const { conflicts } = (refusal as { details: { conflicts: { path: string }[] } }).details;
    expect(conflicts.map(({ path }) => path).sort()).toEqual(["a.txt", "b.txt", "dir", "new.txt"]);
    expect(picture()).toBe(before);
  });

  it("keeps files that others put into a created directory, and accepts entries that no longer exist", async () => {
    await temp.change((ws) => ws.createText("made/mine.txt", "mine"));
    temp.put({ "made/theirs.txt": "theirs" });
    await temp.workspace.undo();
    expect([existsSync(join(temp.root, "made/mine.txt")), read("made/theirs.txt")]).toEqual([
      false,
      "theirs",
    ]);
    await temp.change((ws) => ws.createText("gone.txt", "x"), { callId: "gone" });
    rmSync(join(temp.root, "gone.txt"));
    await temp.workspace.undo("gone");
    expect((await temp.workspace.journal.list()).find(({ callId }) => callId === "gone")?.state).toBe(
      "undone",
    );
  });

  it("restores a file with its parent directory, and a file too large to hold in memory", async () => {
    writeFileSync(join(temp.root, "large.bin"), Buffer.alloc(3_000_000, "l"));
    await temp.change((ws) => ws.remove("dir/c.txt"), { callId: "delete" });
    rmSync(join(temp.root, "dir"), { recursive: true });
    await temp.workspace.undo("delete");
    expect(read("dir/c.txt")).toBe("c");
    const small = await temp.open({ maxHeldBytes: 1_000 });
    const { OverlayWorkspace: Overlay } = await import("@haft/core/workspace");
    const overlay = new Overlay(small);
    await overlay.writeBytes("large.bin", Uint8Array.of(1));
    await small.commit(overlay.changes, { callId: "large", tool: "t" });
    expect(statSync(join(temp.root, "large.bin")).size).toBe(1);
    await small.undo("large");
    expect(statSync(join(temp.root, "large.bin")).size).toBe(3_000_000);
    small.close();
  });

  it("moves a huge file back", async () => {
    truncateSync(join(temp.root, "b.txt"), 65 * 1024 * 1024);
    await temp.change((ws) => ws.move("b.txt", "elsewhere.txt"));
    await temp.workspace.undo();
    expect(statSync(join(temp.root, "b.txt")).size).toBe(65 * 1024 * 1024);
  });

  it("law: undoing any changes, newest first, restores the original files", async () => {
    const names = ["p", "q", "p/r", "q/s", "p/r/t"];
    const name = fc.constantFrom(...names);
    const operation = fc.oneof(
      fc.record({ kind: fc.constant("write" as const), name, text: fc.string() }),
      fc.record({ kind: fc.constant("remove" as const), name }),
      fc.record({ kind: fc.constant("move" as const), name, to: name, overwrite: fc.boolean() }),
      fc.record({ kind: fc.constant("mkdir" as const), name }),
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        async (calls) => {
          run += 1;
          const pictures: string[] = [];
          const done: string[] = [];
          for (const [index, call] of calls.entries()) {
            const callId = `${run}-${index}`;
            pictures.push(picture());
            const changes = await temp.change(
              async (ws) => {
                for (const each of call) {
                  // Changes that a workspace rejects are not part of the law.
                  if (each.kind === "write") await ws.writeText(each.name, each.text).catch(() => undefined);
                  if (each.kind === "mkdir") await ws.createDirectory(each.name).catch(() => undefined);
                  if (each.kind === "remove")
                    await ws.remove(each.name, { recursive: true }).catch(() => undefined);
                  if (each.kind === "move")
                    await ws.move(each.name, each.to, { overwrite: each.overwrite }).catch(() => undefined);
                }
              },
              { callId },
            );
            if (changes.length > 0) done.push(callId);
            else pictures.pop();
          }
          for (const callId of done.reverse()) {
            await temp.workspace.undo(callId);
            expect(picture()).toBe(pictures.pop());
          }
        },
      ),
      { numRuns: Number(process.env.HAFT_LAW_RUNS ?? 25) },
    );
  }, 900_000);
});
