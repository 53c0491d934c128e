import { MemoryWorkspace } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { OverlayWorkspace } from "../workspace.js";
import { ReadLedger } from "./read-ledger.js";

describe("a move that overwrites", () => {
  it.each([[["a.txt", "b.txt"]], [["b.txt", "a.txt"]]])(
    "counts the moved content as seen, whatever was read first (%j)",
    async (order) => {
      const store = new MemoryWorkspace({ "a.txt": "a", "b.txt": "b" });
      const ledger = new ReadLedger();
      for (const path of order) ledger.saw(path, await store.hashOf(path));
      const moving = new OverlayWorkspace(store);
      await moving.move("a.txt", "b.txt", { overwrite: true });
      ledger.applied(moving.changes);
      await store.commit(moving.changes, { callId: "1", tool: "move" });
      const writing = new OverlayWorkspace(store);
      await writing.writeText("b.txt", "new");
      expect(ledger.objection(writing.changes)).toBeUndefined();
    },
  );

  it("an unseen source file stays unseen after the move", async () => {
    const store = new MemoryWorkspace({ "a.txt": "a", "b.txt": "b" });
    const ledger = new ReadLedger([["b.txt", await store.hashOf("b.txt")]]);
    const overlay = new OverlayWorkspace(store);
    await overlay.move("a.txt", "b.txt", { overwrite: true });
    ledger.applied(overlay.changes);
    await store.commit(overlay.changes, { callId: "1", tool: "move" });
    const writing = new OverlayWorkspace(store);
    await writing.writeText("b.txt", "new");
    expect(ledger.objection(writing.changes)).toMatchObject({ code: "FILE_NOT_READ" });
  });
});
