import { ToolError } from "@haft/core";
import type { JournalledEvent, RunJournal } from "@haft/core/stores";
import { Batcher } from "./batcher.js";
import type { Database } from "./database.js";

/** How long a silent writer keeps a run to itself. */
export const WRITER_MS = 15_000;

interface OpenedRun {
  readonly runId: string;
  /** The tenant and the id, as keys. */
  readonly run: readonly string[];
  readonly writer: string;
  readonly events: readonly JournalledEvent[];
}

/** Opens a journal for its only writer. Events that arrive while a statement is running share the next one. */
export function openJournal({ query }: Database, opened: OpenedRun): RunJournal {
  const { runId, run, writer, events } = opened;
  let isClosed = false;
  let failure: unknown;
  const appending = new Batcher<JournalledEvent, void>(async (batch) => {
    if (failure !== undefined) throw failure;
    try {
      await append(query, opened, batch);
    } catch (cause) {
      failure = cause;
      throw cause;
    }
    return batch.map(() => undefined);
  });
  const beat = setInterval(
    () => void query(BEAT, [...run, writer, WRITER_MS]).catch(() => {}),
    WRITER_MS / 3,
  );
  beat.unref();
  return {
    runId,
    events,
    append: async (event) => {
      if (isClosed) throw new Error("the journal is closed");
      await appending.add(event);
    },
    close: async () => {
      isClosed = true;
      clearInterval(beat);
      await appending.idle();
      await query("UPDATE haft.run SET writer = NULL WHERE tenant = $1 AND id = $2 AND writer = $3", [
        ...run,
        writer,
      ]);
    },
  };
}

async function append(
  query: Database["query"],
  { run, writer }: OpenedRun,
  batch: readonly JournalledEvent[],
): Promise<void> {
  const seqs = batch.map(({ seq }) => seq);
  const bodies = batch.map((event) => JSON.stringify(event));
  const stored = await query(APPEND, [...run, writer, seqs[0], seqs.at(-1), seqs, bodies, WRITER_MS]);
  if (stored.length !== batch.length)
    throw new ToolError("RUN_BUSY", "Another process took this run over", {
      hint: "Nothing was written. Open the run again.",
    });
}

const APPEND = `
WITH locked AS (
  UPDATE haft.run SET last_seq = $5, writes_until = clock_timestamp() + $8 * interval '1 millisecond'
  WHERE tenant = $1 AND id = $2 AND writer = $3 AND last_seq = $4::bigint - 1 RETURNING 1
)
INSERT INTO haft.run_event (tenant, run, seq, body)
SELECT $1, $2, e.seq, e.body FROM locked, unnest($6::bigint[], $7::text[]) AS e (seq, body) RETURNING 1`;

const BEAT = `
UPDATE haft.run SET writes_until = clock_timestamp() + $4 * interval '1 millisecond'
WHERE tenant = $1 AND id = $2 AND writer = $3`;
