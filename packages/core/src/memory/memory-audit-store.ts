import { chainRecord, verifyChain } from "../audit/audit-chain.js";
import type { AuditRecord, AuditStore } from "../audit/audit-store.js";

/** An audit log in memory, for tests and embedded use. */
export function memoryAuditStore(): AuditStore {
  const records: AuditRecord[] = [];
  return {
    append: async (entry) => {
      const record = chainRecord(entry, records.at(-1));
      records.push(record);
      return record;
    },
    list: async (afterSeq = 0) => records.slice(afterSeq),
    verify: async () => verifyChain(records, records.at(-1)),
  };
}
