import type { CallRecord, CallSettlement, CallState, NewCall } from "@haft/core/calls";
import type { Row } from "../database.js";

/** The columns that `toRecord` needs. */
export const CALL_COLUMNS = `body, digest, state, version, attempt, worker, epoch, is_repeatable, approval_name,
  cancelled_by, settlement, extract(epoch FROM submitted_at) * 1000 AS submitted_ms,
  extract(epoch FROM started_at) * 1000 AS started_ms, extract(epoch FROM settled_at) * 1000 AS settled_ms`;

export function toRecord(row: Row): CallRecord {
  const call = JSON.parse(row.body as string) as NewCall;
  return {
    ...call,
    state: row.state as CallState,
    version: Number(row.version),
    attempt: Number(row.attempt),
    ...present("worker", row.worker as string | null),
    ...present("epoch", row.epoch === null ? null : Number(row.epoch)),
    ...present("isRepeatable", row.is_repeatable as boolean | null),
    ...present("approvalId", parsed(row.approval_name) as string | null),
    ...present("cancelledBy", parsed(row.cancelled_by) as string | null),
    ...present("settlement", parsed(row.settlement) as CallSettlement | null),
    submittedAtMs: Number(row.submitted_ms),
    ...present("startedAtMs", row.started_ms === null ? null : Number(row.started_ms)),
    ...present("settledAtMs", row.settled_ms === null ? null : Number(row.settled_ms)),
  };
}

function present<Name extends string, Value>(name: Name, value: Value | null): { [K in Name]?: Value } {
  return (value === null ? {} : { [name]: value }) as { [K in Name]?: Value };
}

function parsed(text: unknown): unknown {
  return text === null || text === undefined ? null : JSON.parse(text as string);
}
