import { memoryApprovalStore } from "../memory/memory-approval-store.js";
import { memoryAuditStore } from "../memory/memory-audit-store.js";
import { memoryGrantStore } from "../memory/memory-grant-store.js";
import { memoryRunJournalStore } from "../memory/memory-run-journal-store.js";
import { textOf } from "./call-rows.js";
import { type MemoryCallStoreOptions, memoryCallStore } from "./memory-call-store.js";
import type { Member, MemberStore, SharedStore } from "./shared-store.js";

/** A shared store within one process: for tests, and for a worker and its clients in one program. */
export function memorySharedStore(options: MemoryCallStoreOptions = {}): SharedStore {
  const grants = eachOnce(memoryGrantStore);
  return {
    calls: memoryCallStore(options),
    members: memoryMemberStore(),
    approvals: eachOnce(memoryApprovalStore),
    grants: ({ tenant, workspace }) => grants(textOf(tenant, workspace)),
    audit: eachOnce(memoryAuditStore),
    runs: eachOnce(() => memoryRunJournalStore()),
    close: async () => {},
  };
}

function eachOnce<T>(make: () => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const known = made.get(key) ?? make();
    made.set(key, known);
    return known;
  };
}

function memoryMemberStore(): MemberStore {
  const members = new Map<string, Member>();
  const keyOf = ({ tenant, id }: Pick<Member, "tenant" | "id">) => textOf(tenant, id);
  return {
    put: async (member) => void members.set(keyOf(member), structuredClone(member)),
    list: async (tenant) => [...members.values()].filter((member) => member.tenant === tenant),
    remove: async (principal) => members.delete(keyOf(principal)),
  };
}
