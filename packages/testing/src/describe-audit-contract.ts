import type { AuditEntry, AuditStore } from "@haft/core/stores";
import { type Checks, describeChecks } from "./contract/describe-checks.js";
import type { OpenStore } from "./contract/open-store.js";
import { expect } from "./runner/expect.js";

/** Tests the contract of an audit store. `open` returns an empty store. */
export function describeAuditContract(name: string, open: OpenStore<AuditStore>): void {
  describeChecks(`the audit contract: ${name}`, open, CHECKS);
}

const CHECKS: Checks<AuditStore> = [
  [
    "FP5 appends form a chain without gaps, and list returns them in order",
    async (opened) => {
      const { store } = opened;
      for (const callId of ["a", "b", "c"]) await store.append(entry(callId));
      const records = await store.list();
      expect(records.map(({ seq, callId }) => [seq, callId])).toEqual([
        [1, "a"],
        [2, "b"],
        [3, "c"],
      ]);
      expect(records.map(({ previous }) => previous)).toEqual(["", records[0]?.hash, records[1]?.hash]);
      expect(await store.list(2)).toEqual(records.slice(2));
      expect(await store.verify()).toEqual({ intact: true, records: 3 });
    },
  ],
  [
    "FP5 an empty log is intact",
    async (opened) => {
      expect(await opened.store.list()).toEqual([]);
      expect(await opened.store.verify()).toEqual({ intact: true, records: 0 });
    },
  ],
  [
    "FP5 concurrent appends get one number each",
    async (opened) => {
      const { store, reopen } = opened;
      const stores = [store, reopen?.() ?? store];
      const records = await Promise.all(
        Array.from({ length: 40 }, (_, index) => (stores[index % 2] as AuditStore).append(entry(`${index}`))),
      );
      expect(records.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(
        records.map((_, index) => index + 1),
      );
      expect(await store.verify()).toEqual({ intact: true, records: 40 });
    },
  ],
  [
    "FP5 append returns what list returns, with every field of the entry",
    async (opened) => {
      const given: AuditEntry = {
        ...entry("full"),
        modifiedArgs: { path: "b", odd: "\ud800\u202e\n" },
        command: { text: "git push $X", commands: [{ argv: ["git", "push", null] }], isComplete: false },
        url: "https://example.com/a?b=c",
        rule: "role coder, rule 2",
        approvalId: "1",
        plan: "p",
        shown: "s",
        feedback: "fine",
      };
      const record = await opened.store.append(given);
      expect(record).toMatchObject(given);
      expect(await opened.store.list()).toEqual([record]);
      expect(await opened.store.verify()).toMatchObject({ intact: true });
    },
  ],
];

function entry(callId: string): AuditEntry {
  return {
    at: "2026-01-02T03:04:05.678Z",
    callId,
    tool: "write_file",
    role: "coder",
    args: { path: "a.txt" },
    changes: [{ kind: "modify", path: "a.txt" }],
    paths: ["a.txt"],
    effect: "ask",
    because: "it would modify a.txt",
    verdict: "allow",
    decider: { how: "person", who: "ann" },
  };
}
