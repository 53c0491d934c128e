import { randomUUID } from "node:crypto";
import { ToolError } from "@haft/core";
import type { JournalledEvent, RunJournalStore } from "@haft/core/stores";
import type { Database } from "./database.js";
import { keyText } from "./key-text.js";
import { openJournal, WRITER_MS } from "./open-journal.js";

/**
 * The run journals of one tenant. Events are numbered under the lock of their run, so that a reader who resumes after a
 * number misses none.
 */
export function postgresRunJournalStore(database: Database, tenant: string): RunJournalStore {
  const owner = keyText(tenant);
  const { query } = database;
  const read = async (runId: string, afterSeq = 0): Promise<readonly JournalledEvent[]> => {
    const rows = await query(
      "SELECT body FROM haft.run_event WHERE tenant = $1 AND run = $2 AND seq > $3 ORDER BY seq",
      [owner, keyText(runId), afterSeq],
    );
    return rows.map(({ body }) => JSON.parse(body as string) as JournalledEvent);
  };
  return {
    read,
    open: async (runId) => {
      const run = [owner, keyText(runId)];
      const writer = randomUUID();
      const opened = await query(OPEN, [...run, JSON.stringify(runId), writer, WRITER_MS]);
      if (opened.length === 0)
        throw new ToolError("RUN_BUSY", "Another process is driving this run", {
          hint: "Wait until it has ended, or stop it.",
        });
      return openJournal(database, { runId, run, writer, events: await read(runId) });
    },
    list: async () => {
      const rows = await query("SELECT name FROM haft.run WHERE tenant = $1 AND last_seq > 0 ORDER BY id", [
        owner,
      ]);
      return rows.map(({ name }) => JSON.parse(name as string) as string);
    },
    remove: async (runId) => (await query(REMOVE, [owner, keyText(runId)])).length > 0,
  };
}

const OPEN = `
INSERT INTO haft.run AS r (tenant, id, name, writer, writes_until)
VALUES ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond')
ON CONFLICT (tenant, id) DO UPDATE SET writer = excluded.writer, writes_until = excluded.writes_until
WHERE r.writer IS NULL OR r.writes_until < clock_timestamp() RETURNING 1`;

const REMOVE = `
DELETE FROM haft.run WHERE tenant = $1 AND id = $2 AND (writer IS NULL OR writes_until < clock_timestamp())
RETURNING 1`;
