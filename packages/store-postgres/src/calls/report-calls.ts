import type { CallStore, ClaimRef } from "@haft/core/calls";
import { Batcher } from "../batcher.js";
import type { Database, Row } from "../database.js";
import { keyText } from "../key-text.js";
import { isRefusedStatement } from "../store-error.js";

interface Reported {
  readonly calls: readonly ClaimRef[];
  /** Whether one of their tenants has calls in the queue. */
  readonly isQueueWaiting: boolean;
}

export interface ReportListeners {
  onStarted(reported: Reported): void;
  onSettled(reported: Reported): void;
}

interface Report {
  readonly ref: ClaimRef;
  /** The value to store with it. */
  readonly value: boolean | string;
}

/** Batches the reports of a worker: those made while a statement runs share the next one. */
export function reportCalls(
  { query }: Database,
  { onStarted, onSettled }: ReportListeners,
): Pick<CallStore, "started" | "settle"> {
  const reporting = (statement: string, tell: (reported: Reported) => void) =>
    new Batcher<Report, boolean>(
      async (batch) => {
        const rows = await query(statement, [
          batch.map(({ ref }) => keyText(ref.tenant)),
          batch.map(({ ref }) => keyText(ref.callId)),
          batch.map(({ ref }) => ref.worker),
          batch.map(({ ref }) => ref.epoch),
          batch.map(({ value }) => value),
        ]);
        const taken = new Set(rows.map(({ nth }) => Number(nth) - 1));
        const calls = batch.filter((_, index) => taken.has(index)).map(({ ref }) => ref);
        const isQueueWaiting = rows.some((row: Row) => row.is_queue_waiting === true);
        if (calls.length > 0) tell({ calls, isQueueWaiting });
        return batch.map((_, index) => taken.has(index));
      },
      {
        sizeOf: ({ value }) => (typeof value === "string" ? value.length : 0),
        isRefusal: isRefusedStatement,
      },
    );
  const starts = reporting(STARTED, onStarted);
  const settlements = reporting(SETTLE, onSettled);
  return {
    started: ({ isRepeatable, ...ref }) => starts.add({ ref, value: isRepeatable }),
    settle: async ({ settlement, ...ref }) => settlements.add({ ref, value: JSON.stringify(settlement) }),
  };
}

const STARTED = "SELECT nth FROM haft.start_calls($1, $2, $3, $4, $5) AS nth";
const SETTLE = `
SELECT nth, (SELECT haft.is_queue_waiting($1)) AS is_queue_waiting FROM haft.settle_calls($1, $2, $3, $4, $5) AS nth`;
