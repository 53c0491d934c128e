import { type AuditEntry, type AuditHead, type AuditRecord, chainRecord } from "@haft/core/stores";
import type { Database } from "./database.js";
import { nodeSha256 } from "./node-sha256.js";

/**
 * Appends to the audit chain of one tenant. While no other process writes to it, the head is known and one statement
 * extends it; otherwise the head is locked and read first.
 */
export class AuditChainWriter {
  readonly #database: Database;
  readonly #owner: string;
  /** The head after this process's last append. */
  #last: AuditHead | undefined;
  #isAlone = false;

  constructor(database: Database, owner: string) {
    this.#database = database;
    this.#owner = owner;
  }

  /** One call at a time. */
  async append(entries: readonly AuditEntry[]): Promise<readonly AuditRecord[]> {
    const last = this.#last;
    // Unknown until the statement has succeeded: it may be stored although its answer was lost.
    this.#last = undefined;
    return (
      (this.#isAlone && last !== undefined ? await this.#extend(last, entries) : undefined) ??
      (await this.#appendLocked(last, entries))
    );
  }

  /** Undefined if another writer has extended the chain. */
  async #extend(
    head: AuditHead,
    entries: readonly AuditEntry[],
  ): Promise<readonly AuditRecord[] | undefined> {
    const records = chain(entries, head);
    const [row] = await this.#database.query(EXTEND, this.#values(head, records));
    if (row?.is_extended !== true) return undefined;
    this.#last = records.at(-1);
    return records;
  }

  async #appendLocked(
    last: AuditHead | undefined,
    entries: readonly AuditEntry[],
  ): Promise<readonly AuditRecord[]> {
    const { head, records } = await this.#database.transaction(async (query) => {
      const [row] = await query(LOCK_HEAD, [this.#owner]);
      const head = { seq: Number(row?.seq), hash: String(row?.hash) };
      const records = chain(entries, head);
      await query(EXTEND, this.#values(head, records));
      return { head, records };
    });
    this.#isAlone = last?.hash === head.hash;
    this.#last = records.at(-1);
    return records;
  }

  #values({ seq, hash }: AuditHead, records: readonly AuditRecord[]): readonly unknown[] {
    const bodies = records.map((record) => JSON.stringify(record));
    return [this.#owner, seq, hash, records.at(-1)?.hash, bodies];
  }
}

function chain(entries: readonly AuditEntry[], from: AuditHead): readonly AuditRecord[] {
  let head = from;
  return entries.map((entry) => {
    const record = chainRecord(entry, head, nodeSha256);
    head = record;
    return record;
  });
}

// If records have lost their head, skips a number, so that the damage stays visible.
const LOCK_HEAD = `
INSERT INTO haft.audit_head AS h (tenant, seq, hash)
SELECT $1, coalesce(max(seq) + 1, 0), CASE WHEN max(seq) IS NULL THEN '' ELSE 'the head record was missing' END
FROM haft.audit WHERE tenant = $1
ON CONFLICT (tenant) DO UPDATE SET seq = h.seq RETURNING seq, hash`;

const EXTEND = "SELECT haft.extend_audit($1, $2, $3, $4, $5) AS is_extended";
