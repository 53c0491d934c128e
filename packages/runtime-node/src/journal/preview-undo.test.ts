import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OverlayWorkspace } from "@haft/core/workspace";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";

let temp: TemporaryWorkspace;
beforeEach(async () => {
  temp = await temporaryWorkspace({ "a.txt": "a\n", "b.txt": "b\n", "dir/c.txt": "c\n" });
});
afterEach(() => temp.dispose());

const read = (path: string) => readFileSync(join(temp.root, path), "utf8");
const preview = (...callIds: string[]) => temp.workspace.history.previewUndo(callIds);
const contentAfter = (change: object | undefined) =>
  new TextDecoder().decode((change as { after: { bytes: Uint8Array } }).after.bytes);

describe("preview of an undo", () => {
  it("S1.Q3 shows the net effect of several calls and changes nothing", async () => {
    await temp.change((ws) => ws.writeText("a.txt", "first\n"), { callId: "first" });
    await temp.change((ws) => ws.writeText("a.txt", "second\n"), { callId: "second" });
    await temp.change((ws) => ws.createText("new.txt", "n\n"), { callId: "third" });
    const plan = await preview("first", "second", "third");
    expect(plan.callIds).toEqual(["third", "second", "first"]);
    expect(plan.refused).toEqual([]);
    expect(plan.changes.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      "delete new.txt",
      "modify a.txt",
    ]);
    expect(contentAfter(plan.changes.find(({ kind }) => kind === "modify"))).toBe("a\n");
    expect(read("a.txt")).toBe("second\n");
    expect((await temp.workspace.journal.list()).every(({ state }) => state === "done")).toBe(true);
  });

  it("S1.Q3 omits calls whose files have changed since, with the reason", async () => {
    await temp.change((ws) => ws.writeText("a.txt", "mine\n"), { callId: "stale" });
    await temp.change((ws) => ws.writeText("b.txt", "mine\n"), { callId: "fresh" });
    writeFileSync(join(temp.root, "a.txt"), "theirs\n");
    const plan = await preview("stale", "fresh", "unknown");
    expect(plan.callIds).toEqual(["fresh"]);
    expect(plan.changes.map(({ path }) => path)).toEqual(["b.txt"]);
    expect(plan.refused).toEqual([
      { callId: "unknown", message: "The journal knows no call unknown" },
      {
        callId: "stale",
        message: expect.stringContaining("changed since then: a.txt"),
        hint: expect.any(String),
      },
    ]);
  });

  it("S1.Q3 promises exactly what undoing call by call then does", async () => {
    const steps: readonly ((ws: OverlayWorkspace, n: number) => Promise<unknown>)[] = [
      (ws, n) => ws.writeText("a.txt", `${n}\n`),
      (ws, n) => ws.writeText("b.txt", `${n}\n`),
      (ws, n) => ws.createText(`new-${n}.txt`, `${n}\n`),
      (ws, n) => ws.createText(`dir/new-${n}.txt`, `${n}\n`),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: steps.length - 1 }), { minLength: 1, maxLength: 6 }),
        async (order) => {
          const ids: string[] = [];
          for (const [at, index] of order.entries()) {
            const n = (await temp.workspace.journal.list()).length + at;
            ids.push(`call-${n}-${at}`);
            await temp.change((ws) => steps[index]?.(ws, n) ?? Promise.resolve(), {
              callId: ids[at] as string,
            });
          }
          const plan = await preview(...ids);
          expect(plan.refused).toEqual([]);
          for (const callId of plan.callIds) await temp.workspace.undo(callId);
          for (const change of plan.changes)
            if (change.kind === "modify") expect(read(change.path)).toBe(contentAfter(change));
          expect([read("a.txt"), read("b.txt")]).toEqual(["a\n", "b\n"]);
        },
      ),
      { numRuns: 12 },
    );
  });
});
