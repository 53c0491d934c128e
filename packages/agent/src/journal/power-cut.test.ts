import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { countedTools } from "../../test-support/tools.js";
import { type ModelClient, startRun } from "../index.js";
import { DiskJournal, type JournalDisk } from "./disk-journal.js";

/** A disk that loses all or part of its unsynced data on a power cut. */
class FaultyDisk implements JournalDisk {
  kept = new Uint8Array();
  #pending: Uint8Array[] = [];
  #writesLeft: number;

  constructor(writesLeft: number) {
    this.#writesLeft = writesLeft;
  }

  read = () => this.kept;

  truncate = (size: number) => {
    this.#assertPower();
    this.#settle();
    this.kept = this.kept.slice(0, size);
  };

  append = (bytes: Uint8Array) => {
    this.#writesLeft -= 1;
    this.#assertPower();
    this.#pending.push(bytes);
  };

  sync = () => {
    this.#assertPower();
    this.#settle();
  };

  close = () => {};

  /** The first unsynced bytes may have reached the disk. */
  cut(keptBytes: number): void {
    const lost = Buffer.concat(this.#pending);
    this.kept = Buffer.concat([this.kept, lost.subarray(0, Math.min(keptBytes, lost.length))]);
    this.#pending = [];
  }

  on(writesLeft: number): void {
    this.#writesLeft = writesLeft;
  }

  #assertPower(): void {
    if (this.#writesLeft < 0) throw new Error("the power is gone");
  }

  #settle(): void {
    this.kept = Buffer.concat([this.kept, ...this.#pending]);
    this.#pending = [];
  }
}

/**
 * A model that reads, does something that cannot be repeated, reads again and summarizes; deterministic for a given
 * history.
 */
const model: ModelClient = {
  stream: async function* ({ messages }) {
    const turn = messages.filter(({ role }) => role === "assistant").length;
    const calls = [
      ["look", { path: "a.txt" }],
      ["act", { what: "once" }],
      ["look", { path: "b.txt" }],
    ] as const;
    const next = calls[turn];
    if (next === undefined) yield { type: "text", delta: "All done." };
    else yield { type: "call", index: 0, id: `c${turn}`, name: next[0], args: JSON.stringify(next[1]) };
    yield { type: "finish", reason: next === undefined ? "stop" : "tool_calls" };
  },
};

describe("S5 a power cut loses unsynced records only", () => {
  it("cut at every write, with any part of the rest: nothing is done twice, and the outcome is the same or unknown", async () => {
    let isOver = false;
    let cuts = 0;
    for (let writes = 0; !isOver; writes += 1) {
      for (const keptBytes of [0, 25, 100_000]) {
        const { tools, done } = countedTools();
        const open = () => createTestRuntime({ tools, files: { "a.txt": "a", "b.txt": "b" } });
        const disk = new FaultyDisk(writes);
        const first = await startRun({
          runtime: open(),
          model,
          task: "Do it.",
          journal: new DiskJournal("run", disk),
        }).done;
        isOver = first.reason === "end_turn";
        if (!isOver) expect(first).toMatchObject({ reason: "error", error: { code: "JOURNAL_FAILED" } });
        disk.cut(keptBytes);
        cuts += 1;
        disk.on(1_000);
        const journal = new DiskJournal("run", disk);
        const isNew = !journal.events.some(({ type }) => type === "message.user");
        const run = startRun({ runtime: open(), model, journal, ...(isNew && { task: "Do it." }) });
        expect(await run.done).toMatchObject({ reason: "end_turn", summary: "All done." });
        expect(done.filter((line) => line === "begin once").length).toBeLessThanOrEqual(1);
        const settled = run.log.flatMap((event) => (event.type === "call.settled" ? [event] : []));
        expect(settled.map(({ callId }) => callId)).toEqual(["run:1:0", "run:2:0", "run:3:0"]);
        expect(["ok", "unknown"]).toContain(settled[1]?.outcome);
        if (settled[1]?.outcome === "ok") expect(done).toContain("end once");
        expect([settled[0]?.outcome, settled[2]?.outcome]).toEqual(["ok", "ok"]);
      }
    }
    expect(cuts).toBeGreaterThanOrEqual(40);
  });

  it("a journal that cannot be written ends the run, and calls that had not started do not run", async () => {
    for (let writes = 0; writes < 8; writes += 1) {
      const { tools, done } = countedTools();
      const runtime = createTestRuntime({ tools, files: { "a.txt": "a" } });
      const journal = new DiskJournal("run", new FaultyDisk(writes));
      const outcome = await startRun({ runtime, model, task: "Do it.", journal }).done;
      expect(outcome).toMatchObject({
        reason: "error",
        error: { code: "JOURNAL_FAILED", message: "the power is gone" },
      });
      // The eighth write records the start of the call, which has no effect before that is on disk.
      if (writes < 7) expect(done).not.toContain("end once");
    }
  });
});
