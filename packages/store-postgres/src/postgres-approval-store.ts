import type { ApprovalDecision, ApprovalRecord, ApprovalStore, StoredApproval } from "@haft/core/stores";
import type { Database, Row } from "./database.js";
import type { Hints } from "./hints.js";
import { keyText } from "./key-text.js";

/**
 * The approvals of one tenant. A row outlives the worker that asked; `waits_until` is the lease of the waiting process.
 * A decision also requeues the call that waits for it, in the same transaction.
 */
export function postgresApprovalStore(database: Database, hints: Hints, tenant: string): ApprovalStore {
  const { query } = database;
  const owner = keyText(tenant);
  const decision = async (id: string): Promise<ApprovalDecision | undefined> => {
    const [row] = await query(FIND, [owner, keyText(id)]);
    return row === undefined ? undefined : decisionOf(row);
  };
  return {
    decision,
    insert: async (record) => {
      const { stepId, callId } = record.request;
      const values = [owner, keyText(stepId), keyText(callId), record.requestedAt, JSON.stringify(record)];
      await query(INSERT, [...values, WAIT_MS]);
      hints.send({ topic: "approval" });
    },
    list: async ({ callId, id, undecided } = {}) => {
      const keys = [callId, id].map((key) => (key === undefined ? null : keyText(key)));
      const rows = await query(LIST, [owner, ...keys, undecided ?? null]);
      return rows.map(storedOf);
    },
    decide: async (id, answer) => {
      const values = [owner, keyText(id), answer.approved, JSON.stringify(answer)];
      const [row] = await query(DECIDE, values);
      if (row === undefined) return false;
      hints.send({ topic: "approval" }, { topic: "queue" });
      return true;
    },
    take: async (id) => (await query(TAKE, [owner, keyText(id)])).length > 0,
    renew: async (id) => {
      await query(RENEW, [owner, keyText(id), WAIT_MS]);
    },
    release: async (id) => {
      await query(RENEW, [owner, keyText(id), null]);
    },
    watch: (listener) =>
      hints.watch(({ topic }) => {
        if (topic === "approval") listener();
      }),
  };
}

/** How long a process counts as waiting after its last renewal. */
const WAIT_MS = 15_000;

function storedOf(row: Row): StoredApproval {
  const record = JSON.parse(row.record as string) as ApprovalRecord;
  const decision = decisionOf(row);
  return { ...record, isWaitedFor: row.is_waited_for === true, ...(decision !== undefined && { decision }) };
}

function decisionOf({ decided_at: decidedAt, approved, answer }: Row): ApprovalDecision | undefined {
  if (decidedAt === null) return undefined;
  return {
    decidedAt: (decidedAt as Date).toISOString(),
    approved: approved as boolean,
    ...(answer !== null && { answer: JSON.parse(answer as string) }),
  };
}

const FIND = "SELECT * FROM haft.approval WHERE tenant = $1 AND id = $2";

const INSERT = `
INSERT INTO haft.approval (tenant, id, call_id, requested_at, record, waits_until)
VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 millisecond')
ON CONFLICT (tenant, id) DO UPDATE SET call_id = excluded.call_id, requested_at = excluded.requested_at,
  record = excluded.record, waits_until = excluded.waits_until, is_taken = false`;

const LIST = `
SELECT *, coalesce(waits_until > clock_timestamp(), false) AS is_waited_for FROM haft.approval
WHERE tenant = $1 AND NOT is_taken AND record IS NOT NULL AND ($2::text IS NULL OR call_id = $2)
  AND ($3::text IS NULL OR id = $3) AND ($4::bigint IS NULL OR decided_at IS NULL)
ORDER BY requested_at, id LIMIT $4`;

const DECIDE = `
WITH decided AS (
  INSERT INTO haft.approval AS a (tenant, id, decided_at, approved, answer)
  VALUES ($1, $2, clock_timestamp(), $3, $4)
  ON CONFLICT (tenant, id) DO UPDATE
    SET decided_at = excluded.decided_at, approved = excluded.approved, answer = excluded.answer
    WHERE a.decided_at IS NULL
  RETURNING id
), resumed AS (
  UPDATE haft.call SET state = 'queued', version = version + 1
  WHERE tenant = $1 AND approval_id = $2 AND state = 'awaiting_approval' AND EXISTS (SELECT 1 FROM decided)
)
SELECT id FROM decided`;

const TAKE = `
UPDATE haft.approval SET is_taken = true, record = NULL, answer = NULL
WHERE tenant = $1 AND id = $2 AND NOT is_taken AND record IS NOT NULL RETURNING 1`;

const RENEW = `
UPDATE haft.approval SET waits_until = clock_timestamp() + $3::double precision * interval '1 millisecond'
WHERE tenant = $1 AND id = $2 AND NOT is_taken`;
