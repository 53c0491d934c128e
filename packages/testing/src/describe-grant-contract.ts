import type { GrantStore, SavedGrant } from "@haft/core/stores";
import { type Checks, describeChecks } from "./contract/describe-checks.js";
import type { OpenStore } from "./contract/open-store.js";
import { expect } from "./runner/expect.js";

/** Tests the contract of a grant store. `open` returns an empty store. */
export function describeGrantContract(name: string, open: OpenStore<GrantStore>): void {
  describeChecks(`the grant contract: ${name}`, open, CHECKS);
}

const CHECKS: Checks<GrantStore> = [
  [
    "FP5 lists inserted grants, oldest first, once each",
    async (opened) => {
      const { store } = opened;
      expect(await store.list()).toEqual([]);
      await store.insert(grant("b", "2026-01-02T00:00:00.000Z"));
      await store.insert(grant("a", "2026-01-01T00:00:00.000Z"));
      await store.insert(grant("b", "2026-01-02T00:00:00.000Z"));
      const all = [grant("a", "2026-01-01T00:00:00.000Z"), grant("b", "2026-01-02T00:00:00.000Z")];
      expect(await store.list()).toEqual(all);
      expect(await (opened.reopen?.() ?? store).list()).toEqual(all);
    },
  ],
  [
    "FP5 a removed grant is gone for everyone; exactly one caller removes it",
    async (opened) => {
      const { store } = opened;
      const other = opened.reopen?.() ?? store;
      await store.insert(grant("a"));
      const removed = await Promise.all([store, other, store, other].map((each) => each.remove("a")));
      expect(removed.filter(Boolean)).toHaveLength(1);
      expect(await store.list()).toEqual([]);
      expect(await other.list()).toEqual([]);
      for (const id of ["a", "", "../x", "nope"]) expect(await store.remove(id)).toBe(false);
    },
  ],
];

function grant(id: string, createdAt = "2026-01-01T00:00:00.000Z"): SavedGrant {
  const match = { tool: "write_file", role: "coder", paths: ["a.txt"], kinds: ["modify"] as const };
  const expiresAt = "2099-01-01T00:00:00.000Z";
  return { id, label: "write_file may modify a.txt", match, scope: "project", createdAt, expiresAt };
}
