import type { ChangeJournalStore } from "@haft/core/stores";
import { type Checks, describeChecks } from "./contract/describe-checks.js";
import type { OpenStore } from "./contract/open-store.js";
import { expect } from "./runner/expect.js";

/** Tests the contract of a change journal store. `open` returns an empty store. */
export function describeChangeJournalContract(name: string, open: OpenStore<ChangeJournalStore>): void {
  describeChecks(`the change journal contract: ${name}`, open, CHECKS);
}

const CHECKS: Checks<ChangeJournalStore> = [
  [
    "FP5 an empty journal has no lines",
    async ({ store }) => {
      expect(await store.read()).toMatchObject({ lines: [], isWhole: true });
    },
  ],
  [
    "FP5 reading continues where it stopped, including lines appended by others",
    async ({ store, reopen }) => {
      await store.append({ seq: 1, text: "odd \ud800 \u2028\n" }, { durable: true });
      const first = await store.read();
      expect(first).toMatchObject({ lines: [{ seq: 1, text: "odd \ud800 \u2028\n" }], isWhole: true });
      await (reopen?.() ?? store).append({ seq: 2 });
      const second = await store.read(first.position);
      expect(second).toMatchObject({ lines: [{ seq: 2 }], isWhole: false });
      expect(await store.read(second.position)).toMatchObject({ lines: [], isWhole: false });
      expect((await (reopen?.() ?? store).read()).lines).toHaveLength(2);
    },
  ],
  [
    "FP5 readers of an older journal read a replacement completely",
    async ({ store, reopen }) => {
      for (const seq of [1, 2, 3]) await store.append({ seq });
      const { position } = await store.read();
      await (reopen?.() ?? store).replace([{ seq: 3 }]);
      expect(await store.read(position)).toMatchObject({ lines: [{ seq: 3 }], isWhole: true });
      await store.append({ seq: 4 });
      expect((await store.read()).lines).toEqual([{ seq: 3 }, { seq: 4 }]);
      await store.replace([]);
      expect((await store.read()).lines).toEqual([]);
    },
  ],
];
