import {
  type AuditEntry,
  type AuditHead,
  type AuditRecord,
  type AuditStore,
  parseAuditRecord,
  verifyChain,
} from "@haft/core/stores";
import { AuditChainWriter } from "./audit-chain-writer.js";
import { Batcher } from "./batcher.js";
import type { Database } from "./database.js";
import { keyText } from "./key-text.js";

/**
 * The audit log of one tenant: one chain across all processes, under the lock of its head. Entries that arrive while a
 * statement is running share the next one. Anyone with write access to the tables can forge the log.
 */
export function postgresAuditStore(database: Database, tenant: string): AuditStore {
  const owner = keyText(tenant);
  const writer = new AuditChainWriter(database, owner);
  const appending = new Batcher<AuditEntry, AuditRecord>((entries) => writer.append(entries), {
    // A call waits for the record of its decision, but not for the record of its outcome.
    isPatient: ({ outcome }) => outcome !== undefined,
  });
  // In pages: one statement for a log of several years would exceed the time limit of statements.
  const read = async (afterSeq = 0): Promise<AuditContent> => {
    const records: AuditRecord[] = [];
    let badRow: number | undefined;
    for (let after = afterSeq; ; ) {
      const rows = await database.query(PAGE, [owner, after, PAGE_SIZE]);
      for (const { seq, body } of rows) {
        after = Number(seq);
        const record = parseAuditRecord(body as string);
        if (record === undefined) badRow ??= after;
        else records.push(record);
      }
      if (rows.length < PAGE_SIZE) return { records, badRow };
    }
  };
  return {
    append: (entry) => appending.add(entry),
    list: async (afterSeq) => (await read(afterSeq)).records,
    verify: async () => {
      const head = headOf(
        await database.query("SELECT seq, hash FROM haft.audit_head WHERE tenant = $1", [owner]),
      );
      const { records, badRow } = await read();
      const verdict = verifyChain(records, head);
      const found = (problem: string) => ({ ...verdict, intact: false, at: records.length + 1, problem });
      if (!verdict.intact) return verdict;
      if (badRow !== undefined) return found(`row ${badRow} is not a record`);
      return head === undefined && records.length > 0 ? found(HEAD_MISSING) : verdict;
    },
  };
}

interface AuditContent {
  readonly records: readonly AuditRecord[];
  /** The first row that is not a valid record. */
  readonly badRow: number | undefined;
}

function headOf(rows: readonly Readonly<Record<string, unknown>>[]): AuditHead | undefined {
  const [row] = rows;
  return row === undefined ? undefined : { seq: Number(row.seq), hash: String(row.hash) };
}

const PAGE = "SELECT seq, body FROM haft.audit WHERE tenant = $1 AND seq > $2 ORDER BY seq LIMIT $3";
const PAGE_SIZE = 1_000;
const HEAD_MISSING = "the head record is missing, so the newest records may have been cut off";
