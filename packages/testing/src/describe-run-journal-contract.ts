import type { RunJournalStore } from "@haft/core/stores";
import { type Checks, describeChecks } from "./contract/describe-checks.js";
import { journalledEvent } from "./contract/journalled-event.js";
import type { OpenStore } from "./contract/open-store.js";
import { expect } from "./runner/expect.js";

/** Tests the contract of a run journal store. `open` returns an empty store. */
export function describeRunJournalContract(name: string, open: OpenStore<RunJournalStore>): void {
  describeChecks(`the run journal contract: ${name}`, open, CHECKS);
}

const CHECKS: Checks<RunJournalStore> = [
  [
    "FP5 events are read in order, from any number, while the run is written and afterwards",
    async ({ store, reopen }) => {
      const journal = await store.open("run-1");
      expect(journal).toMatchObject({ runId: "run-1", events: [] });
      // Not awaited in between: events keep the order of the calls.
      await Promise.all(
        [1, 2, 3].map((seq) => journal.append(journalledEvent("run-1", seq), { durable: seq > 1 })),
      );
      const reader = reopen?.() ?? store;
      expect(await reader.read("run-1")).toEqual([1, 2, 3].map((seq) => journalledEvent("run-1", seq)));
      expect(await reader.read("run-1", 2)).toEqual([journalledEvent("run-1", 3)]);
      await journal.close();
      const again = await reader.open("run-1");
      expect(again.events).toEqual([1, 2, 3].map((seq) => journalledEvent("run-1", seq)));
      await again.append(journalledEvent("run-1", 4));
      await again.close();
      expect(await store.read("run-1", 3)).toEqual([journalledEvent("run-1", 4)]);
    },
  ],
  [
    "FP5 a run has one writer at a time",
    async ({ store, reopen }) => {
      const journal = await store.open("run-1");
      await expect(store.open("run-1")).rejects.toMatchObject({ code: "RUN_BUSY" });
      await expect((reopen?.() ?? store).open("run-1")).rejects.toMatchObject({ code: "RUN_BUSY" });
      await (await store.open("run-2")).close();
      await journal.close();
      await (await store.open("run-1")).close();
    },
  ],
  [
    "FP5 a closed journal accepts no more events",
    async ({ store }) => {
      const journal = await store.open("run-1");
      await journal.close();
      await expect((async () => journal.append(journalledEvent("run-1", 1)))()).rejects.toThrow();
      expect(await store.read("run-1")).toEqual([]);
    },
  ],
  [
    "FP5 lists runs with events; exactly one caller removes one, and never an open one",
    async ({ store }) => {
      expect(await store.list()).toEqual([]);
      expect(await store.read("run-1")).toEqual([]);
      for (const runId of ["run-1", "run-2"]) {
        const journal = await store.open(runId);
        await journal.append(journalledEvent(runId, 1));
        expect(await store.remove(runId)).toBe(false);
        await journal.close();
      }
      expect([...(await store.list())].sort()).toEqual(["run-1", "run-2"]);
      const removed = await Promise.all([1, 2, 3].map(() => store.remove("run-1")));
      expect(removed.filter(Boolean)).toHaveLength(1);
      expect(await store.list()).toEqual(["run-2"]);
      expect(await store.remove("nope")).toBe(false);
    },
  ],
];
