import { MemoryWorkspace } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { describeChange, OverlayWorkspace } from "../workspace.js";

const files = { "a.bin": "a".repeat(60), "b.bin": "b".repeat(60), "c.bin": "c".repeat(60) };
const open = (maxHeldBytes = 100) => {
  const store = new MemoryWorkspace(files);
  return { store, overlay: new OverlayWorkspace(store, { maxHeldBytes }) };
};
const heldBy = ({ changes }: OverlayWorkspace) =>
  changes.map((change) => (change.kind === "create" ? 0 : (change.before.bytes?.length ?? 0)));

describe("the memory of a rehearsal", () => {
  it("is bounded for deleted content too: beyond the limit it is no longer kept for display", async () => {
    const { store, overlay } = open();
    await overlay.remove("a.bin");
    await overlay.remove("b.bin");
    await overlay.move("c.bin", "d.bin");
    expect(heldBy(overlay)).toEqual([60, 0, 0]);
    await store.commit(overlay.changes, { callId: "1", tool: "t" });
    expect(Object.keys(store.dump())).toEqual(["d.bin"]);
  });

  it("drops overwritten content first: only new content must fit, and it is shown completely", async () => {
    const { store, overlay } = open();
    await overlay.writeText("a.bin", "new\n".repeat(12));
    expect(heldBy(overlay)).toEqual([0]);
    const [change] = overlay.changes;
    const diff = change && describeChange(change).diff;
    expect(diff).toMatch(
      /^a\.bin: 60 bytes, too many to be shown, are replaced by 48 bytes\n--- a\/a\.bin\n/,
    );
    expect(diff?.match(/^\+new$/gm)).toHaveLength(12);
    await expect(overlay.writeText("b.bin", "n".repeat(101))).rejects.toMatchObject({
      code: "FILE_TOO_LARGE",
    });
    await store.commit(overlay.changes, { callId: "1", tool: "t" });
    expect(await store.readText("a.bin")).toBe("new\n".repeat(12));
  });

  it("counts content shared by two states of a file once", async () => {
    const { overlay } = open();
    const splices = [{ start: 30, end: 31, replacement: "B" }];
    await overlay.spliceText("b.bin", await overlay.readTextFile("b.bin"), splices);
    expect(heldBy(overlay)).toEqual([60]);
  });

  it("counts deleted content and new content against one limit", async () => {
    const { overlay } = open();
    await overlay.remove("a.bin");
    await expect(overlay.createText("new.bin", "n".repeat(50))).rejects.toMatchObject({
      code: "FILE_TOO_LARGE",
      message: "This call would change 110 bytes at once; at most 100 are allowed",
    });
    await overlay.createText("new.bin", "n".repeat(40));
    expect(overlay.changes).toHaveLength(2);
  });

  it("is released when a later change replaces an earlier one", async () => {
    const { overlay } = open();
    for (const letter of ["x", "y", "z"]) await overlay.writeText("new.bin", letter.repeat(90));
    await overlay.remove("new.bin");
    expect(overlay.changes).toEqual([]);
    await overlay.createText("other.bin", "o".repeat(100));
    expect(overlay.changes).toHaveLength(1);
  });

  it("records 20,000 changes without a noticeable delay", async () => {
    const overlay = new OverlayWorkspace(new MemoryWorkspace({}));
    const usedMs = measureProcessorTime();
    for (let index = 0; index < 20_000; index += 1) await overlay.createText(`f${index}`, "x");
    expect(overlay.changes).toHaveLength(20_000);
    expect(usedMs()).toBeLessThan(10_000);
  });

  it("reports the limit in words that are independent of any tool's parameters", async () => {
    const overlay = new OverlayWorkspace(new MemoryWorkspace({ "a.txt": "a", "d/b.txt": "b" }));
    const refusals = [
      overlay.remove("d"),
      overlay.move("a.txt", "d/b.txt"),
      overlay.createText("no/such/a.txt", "", { createDirs: false }),
    ];
    for (const refused of refusals) {
      const hint = await refused.then(
        () => "not refused",
        (error: { hint?: string }) => error.hint,
      );
      expect(hint).toMatch(/let the call/);
      expect(hint).not.toMatch(/: true|_/);
    }
  });
});
