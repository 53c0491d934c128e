import { type CallRecord, callDigest, callIdConflict, type NewCall, overloaded } from "@haft/core/calls";
import { Batcher } from "../batcher.js";
import type { Database, Row } from "../database.js";
import { keyText } from "../key-text.js";
import { nodeSha256 } from "../node-sha256.js";
import { isRefusedStatement } from "../store-error.js";
import { CALL_COLUMNS, toRecord } from "./call-row.js";

interface Submission {
  readonly call: NewCall;
  readonly tenant: string;
  readonly id: string;
  readonly digest: string;
  readonly body: string;
}

/** Submits calls. Calls that arrive while a statement is running share the next one, and its wait for the disk. */
export function submitCalls(
  { query }: Database,
  onQueued: () => void,
): (call: NewCall) => Promise<CallRecord> {
  const submitting = new Batcher<Submission, () => CallRecord>(
    async (batch) => {
      const inserted = await insert(query, batch);
      if (inserted.size > 0) onQueued();
      const known = await find(
        query,
        batch.filter((each) => !inserted.has(each)),
      );
      const rowOf = (each: Submission) => inserted.get(each) ?? known.get(keyOf(each));
      const queued = await queuedOf(
        query,
        batch.filter((each) => rowOf(each) === undefined),
      );
      return batch.map((each) => () => answer(each, rowOf(each), queued.get(each.tenant) ?? 0));
    },
    { sizeOf: ({ body }) => body.length, isRefusal: isRefusedStatement },
  );
  return async (call) => {
    const [tenant, id] = [keyText(call.tenant), keyText(call.callId)];
    const submission = { call, tenant, id, digest: callDigest(call, nodeSha256), body: JSON.stringify(call) };
    return (await submitting.add(submission))();
  };
}

/** Returns the rows of new calls. */
async function insert(query: Database["query"], batch: readonly Submission[]): Promise<Map<Submission, Row>> {
  const rows = await query(SUBMIT, [
    batch.map(({ tenant }) => tenant),
    batch.map(({ id }) => id),
    batch.map(({ call }) => keyText(call.workspace)),
    batch.map(({ digest }) => digest),
    batch.map(({ body }) => body),
    batch.map(({ call }) => call.maxQueuedMs ?? null),
  ]);
  return new Map(
    rows.map(({ nth, submitted_ms }) => {
      const submission = batch[Number(nth) - 1] as Submission;
      const { digest, body } = submission;
      return [submission, { ...NEW_CALL, digest, body, submitted_ms }];
    }),
  );
}

async function find(query: Database["query"], batch: readonly Submission[]): Promise<Map<string, Row>> {
  if (batch.length === 0) return new Map();
  const rows = await query(FIND, [batch.map(({ tenant }) => tenant), batch.map(({ id }) => id)]);
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Returns the number of queued calls by tenant. */
async function queuedOf(
  query: Database["query"],
  batch: readonly Submission[],
): Promise<Map<string, number>> {
  if (batch.length === 0) return new Map();
  const rows = await query(QUEUED, [batch.map(({ tenant }) => tenant)]);
  return new Map(rows.map(({ tenant, n }) => [String(tenant), Number(n)]));
}

function answer({ call, digest }: Submission, row: Row | undefined, queued: number): CallRecord {
  if (row === undefined) throw overloaded(call.tenant, queued);
  if (row.digest !== digest) throw callIdConflict(call.callId);
  return toRecord(row);
}

function keyOf({ tenant, id }: { readonly tenant?: unknown; readonly id?: unknown }): string {
  return JSON.stringify([tenant, id]);
}

const NEW_CALL: Row = {
  state: "queued",
  version: 1,
  attempt: 1,
  worker: null,
  epoch: null,
  is_repeatable: null,
  approval_name: null,
  cancelled_by: null,
  settlement: null,
  started_ms: null,
  settled_ms: null,
};

const SUBMIT = `
SELECT nth, extract(epoch FROM submitted_at) * 1000 AS submitted_ms
FROM haft.submit_calls($1, $2, $3, $4, $5, $6)`;

const FIND = `
SELECT tenant, id, ${CALL_COLUMNS} FROM haft.call
WHERE (tenant, id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`;

const QUEUED = `
SELECT tenant, count(*) AS n FROM haft.call WHERE tenant = ANY($1) AND state = 'queued' GROUP BY tenant`;
