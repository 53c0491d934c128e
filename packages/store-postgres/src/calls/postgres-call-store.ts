import { type CallStore, DEFAULT_LIST_LIMIT, hintsOf, type TableOperation } from "@haft/core/calls";
import type { Database } from "../database.js";
import type { Hints, StoreHint } from "../hints.js";
import { keyText } from "../key-text.js";
import { CALL_COLUMNS, toRecord } from "./call-row.js";
import { leaseOperations } from "./lease-operations.js";
import { overview } from "./overview.js";
import { reportCalls } from "./report-calls.js";
import { submitCalls } from "./submit-calls.js";

/** Calls and leases in PostgreSQL. Each operation is one statement, so that it works behind a transaction pooler. */
export function postgresCallStore(database: Database, hints: Hints): CallStore {
  return {
    ...clientOperations(database, hints),
    ...workerOperations(database, hints),
    ...leaseOperations(database, teller(hints)),
    limit: async ({ tenant, maxRunning, maxQueued }) => {
      await database.query(LIMIT, [keyText(tenant), maxRunning ?? null, maxQueued ?? null]);
    },
    list: async ({ tenant, limit = DEFAULT_LIST_LIMIT }) =>
      (await database.query(LIST, [keyText(tenant), limit])).map(toRecord),
    overview: ({ tenant }) => overview(database, tenant),
    prune: async ({ settledBeforeMs, tenant }) => {
      const owner = tenant === undefined ? null : keyText(tenant);
      for (let deleted = 0; ; ) {
        const [row] = await database.query(PRUNE, [settledBeforeMs, owner, PRUNED_AT_ONCE]);
        // Another process may delete the rest, so a small number is not the last one.
        if (Number(row?.n) === 0) return deleted;
        deleted += Number(row?.n);
      }
    },
    watch: (listener) =>
      hints.watch((hint: StoreHint) => {
        if (hint.topic !== "approval") listener(hint);
      }),
  };
}

function clientOperations(
  database: Database,
  hints: Hints,
): Pick<CallStore, "submit" | "find" | "cancel" | "expire" | "resume"> {
  const { query } = database;
  const tell = teller(hints);
  const find: CallStore["find"] = async ({ tenant, callIds }) => {
    const rows = await query(`SELECT ${CALL_COLUMNS} FROM haft.call WHERE tenant = $1 AND id = ANY($2)`, [
      keyText(tenant),
      callIds.map(keyText),
    ]);
    return rows.map(toRecord);
  };
  return {
    find,
    submit: submitCalls(database, () => tell("submit", {})),
    cancel: async ({ by, tenant, callId }) => {
      const [cancelled] = await query(CANCEL, [keyText(tenant), keyText(callId), JSON.stringify(by)]);
      if (cancelled !== undefined) tell("cancel", { callId });
      return cancelled === undefined ? (await find({ tenant, callIds: [callId] }))[0] : toRecord(cancelled);
    },
    expire: async ({ tenant, callId }) => {
      const [expired] = await query(EXPIRE, [keyText(tenant), keyText(callId)]);
      if (expired !== undefined) tell("expire", { callId });
      return expired === undefined ? (await find({ tenant, callIds: [callId] }))[0] : toRecord(expired);
    },
    resume: async ({ tenant, approvalId }) => {
      const rows = await query(RESUME, [keyText(tenant), keyText(approvalId)]);
      if (rows.length > 0) tell("resume", {});
      return rows.length > 0;
    },
  };
}

function workerOperations(
  database: Database,
  hints: Hints,
): Pick<CallStore, "claim" | "started" | "awaitApproval" | "settle"> {
  const { query } = database;
  return {
    claim: async ({ worker, limit, known }) => {
      const rows = await query(`SELECT ${CALL_COLUMNS} FROM haft.claim_calls($1, $2, $3, $4) ORDER BY ord`, [
        worker,
        limit,
        known?.map(({ tenant }) => keyText(tenant)) ?? null,
        known?.map(({ callId }) => keyText(callId)) ?? null,
      ]);
      return rows.map(toRecord);
    },
    awaitApproval: async ({ approvalId, ...ref }) => {
      const { tenant, callId, worker, epoch } = ref;
      const claim = [keyText(tenant), keyText(callId), worker, epoch];
      const rows = await query(AWAIT_APPROVAL, [...claim, keyText(approvalId), JSON.stringify(approvalId)]);
      if (rows.length > 0) teller(hints)("awaitApproval", ref);
      return rows.length > 0;
    },
    ...reportCalls(database, {
      onStarted: ({ calls }) => hints.sendSoon(calls.map(({ callId }) => callId)),
      onSettled: ({ calls, isQueueWaiting }) => {
        const settled: StoreHint = { topic: "call", callIds: calls.map(({ callId }) => callId) };
        // A free slot needs no notification if its tenant has an empty queue.
        hints.send(settled, ...(isQueueWaiting ? [{ topic: "queue" } as const] : []));
      },
    }),
  };
}

function teller(hints: Hints): (name: TableOperation, input: object) => void {
  return (name, input) => hints.send(...hintsOf(name, input));
}

const LIST = `
SELECT ${CALL_COLUMNS} FROM haft.call
WHERE tenant = $1 AND state IN ('queued', 'preparing', 'running', 'awaiting_approval') ORDER BY ord LIMIT $2`;

const CANCEL = `
UPDATE haft.call SET cancelled_by = $3,
  version = version + CASE WHEN state IN ('queued', 'awaiting_approval') THEN 2 ELSE 1 END,
  settlement = CASE WHEN state IN ('queued', 'awaiting_approval') THEN '{"outcome":"cancelled","code":"CANCELLED"}' END,
  settled_at = CASE WHEN state IN ('queued', 'awaiting_approval') THEN clock_timestamp() END,
  state = CASE WHEN state IN ('queued', 'awaiting_approval') THEN 'settled' ELSE state END
WHERE tenant = $1 AND id = $2 AND state <> 'settled' AND cancelled_by IS NULL
RETURNING ${CALL_COLUMNS}`;

const EXPIRE = `
UPDATE haft.call SET state = 'settled', settled_at = clock_timestamp(), version = version + 1,
  settlement = '{"outcome":"error","code":"WORKSPACE_UNAVAILABLE"}'
WHERE tenant = $1 AND id = $2 AND state = 'queued' AND approval_id IS NULL
  AND submitted_at + max_queued_ms * interval '1 millisecond' < clock_timestamp()
RETURNING ${CALL_COLUMNS}`;

const RESUME = `
UPDATE haft.call SET state = 'queued', version = version + 1
WHERE tenant = $1 AND approval_id = $2 AND state = 'awaiting_approval' RETURNING 1`;

const AWAIT_APPROVAL = `
UPDATE haft.call SET version = version + 1,
  approval_id = CASE WHEN cancelled_by IS NULL THEN $5 ELSE approval_id END,
  approval_name = CASE WHEN cancelled_by IS NULL THEN $6 ELSE approval_name END,
  worker = CASE WHEN cancelled_by IS NULL THEN NULL ELSE worker END,
  epoch = CASE WHEN cancelled_by IS NULL THEN NULL ELSE epoch END,
  state = CASE WHEN cancelled_by IS NULL THEN 'awaiting_approval' ELSE 'settled' END,
  settlement = CASE WHEN cancelled_by IS NOT NULL THEN '{"outcome":"cancelled","code":"CANCELLED"}' END,
  settled_at = CASE WHEN cancelled_by IS NOT NULL THEN clock_timestamp() END
WHERE tenant = $1 AND id = $2 AND worker = $3 AND epoch = $4 AND state = 'preparing' RETURNING 1`;

const LIMIT = `
INSERT INTO haft.tenant AS t (id, max_running, max_queued) VALUES ($1, coalesce($2, 64), coalesce($3, 10000))
ON CONFLICT (id) DO UPDATE SET max_running = coalesce($2, t.max_running), max_queued = coalesce($3, t.max_queued)`;

/** Few enough for the time limit of a statement. */
const PRUNED_AT_ONCE = 1_000;
const PRUNE = `
WITH gone AS (
  DELETE FROM haft.call WHERE (tenant, id) IN (
    SELECT tenant, id FROM haft.call WHERE state = 'settled' AND settled_at < to_timestamp($1 / 1000.0)
      AND ($2::text IS NULL OR tenant = $2) LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING tenant, id
), asked AS (
  DELETE FROM haft.approval a USING gone WHERE a.tenant = gone.tenant AND a.call_id = gone.id
)
SELECT count(*) AS n FROM gone`;
