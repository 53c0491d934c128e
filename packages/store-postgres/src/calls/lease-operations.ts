import type {
  CallKey,
  CallStore,
  Lease,
  LeaseRequest,
  TableOperation,
  WorkerDuties,
  WorkspaceFacts,
  WorkspaceKey,
} from "@haft/core/calls";
import type { Database, Row } from "../database.js";
import { idOfKey, keyText } from "../key-text.js";

type LeaseOperations = Pick<CallStore, "lease" | "release" | "publish" | "workspace" | "duties">;

/** Leases on workspaces, and the duties of their holders. */
export function leaseOperations(
  { query }: Database,
  tell: (name: TableOperation, input: object) => void,
): LeaseOperations {
  return {
    lease: async (request) => {
      const leases = await takeLeases(query, request);
      if (leases.some(({ isNew }) => isNew)) tell("lease", {});
      return leases;
    },
    release: async ({ worker, workspaces }) => {
      await query(RELEASE, [
        worker,
        workspaces === undefined,
        (workspaces ?? []).map(({ tenant }) => keyText(tenant)),
        (workspaces ?? []).map(({ workspace }) => keyText(workspace)),
      ]);
      tell("release", {});
    },
    publish: async ({ tenant, workspace, epoch, facts }) => {
      const values = [keyText(tenant), keyText(workspace), epoch, JSON.stringify(facts)];
      return (await query(PUBLISH, values)).length > 0;
    },
    workspace: async ({ tenant, workspace }) => {
      const [row] = await query(WORKSPACE, [keyText(tenant), keyText(workspace)]);
      return row === undefined ? undefined : workspaceOf({ tenant, workspace }, row);
    },
    duties: async ({ worker }) => dutiesOf(await query(DUTIES, [worker])),
  };
}

async function takeLeases(
  query: Database["query"],
  { worker, workspaces, ttlMs }: LeaseRequest,
): Promise<readonly Lease[]> {
  const names = new Map(workspaces.map((key) => [placeOf(keyText(key.tenant), keyText(key.workspace)), key]));
  const rows = await query(LEASE, [
    worker,
    workspaces.map(({ tenant }) => keyText(tenant)),
    workspaces.map(({ workspace }) => keyText(workspace)),
    workspaces.map(({ tenant }) => JSON.stringify(tenant)),
    workspaces.map(({ workspace }) => JSON.stringify(workspace)),
    ttlMs,
  ]);
  return rows.map((row) => ({
    ...(names.get(placeOf(String(row.tenant), String(row.id))) as WorkspaceKey),
    epoch: Number(row.epoch),
    isNew: row.is_new === true,
  }));
}

function dutiesOf(rows: readonly Row[]): WorkerDuties {
  const awaits = (row: Row) => row.state === "awaiting_approval";
  return {
    cancelled: rows.filter((row) => !awaits(row)).map(callKeyOf),
    awaiting: rows.filter(awaits).map((row) => ({
      ...callKeyOf(row),
      workspace: JSON.parse(row.name as string),
      approvalId: JSON.parse(row.approval_name as string),
    })),
  };
}

function workspaceOf(key: WorkspaceKey, row: Row) {
  return {
    ...key,
    epoch: Number(row.epoch),
    ...(row.facts !== null && { facts: JSON.parse(row.facts as string) as WorkspaceFacts }),
    ...(row.worker !== null && { worker: row.worker as string }),
  };
}

function callKeyOf({ tenant_name, id, body }: Row): CallKey {
  const callId = idOfKey(id as string) ?? JSON.parse(body as string).callId;
  return { tenant: JSON.parse(tenant_name as string), callId };
}

function placeOf(tenant: string, id: string): string {
  return JSON.stringify([tenant, id]);
}

const LEASE = "SELECT * FROM haft.lease_workspaces($1, $2, $3, $4, $5, $6 * interval '1 millisecond')";

const RELEASE = `
UPDATE haft.workspace SET worker = NULL, expires_at = NULL
WHERE worker = $1 AND ($2 OR (tenant, id) IN (SELECT * FROM unnest($3::text[], $4::text[])))`;

const PUBLISH = `
UPDATE haft.workspace SET facts = $4 WHERE tenant = $1 AND id = $2 AND epoch = $3 RETURNING 1`;

const WORKSPACE = `
SELECT epoch, facts, CASE WHEN expires_at >= clock_timestamp() THEN worker END AS worker
FROM haft.workspace WHERE tenant = $1 AND id = $2`;

// Bodies may be long, and many calls may wait.
const DUTY_COLUMNS =
  "c.ord, w.tenant_name, w.name, c.id, CASE WHEN c.id LIKE 'sha256:%' THEN c.body END AS body, c.state, c.approval_name";
const DUTIES = `
SELECT ${DUTY_COLUMNS} FROM haft.workspace w
JOIN haft.call c ON c.tenant = w.tenant AND c.workspace = w.id AND c.state = 'awaiting_approval'
WHERE w.worker = $1
UNION ALL
SELECT ${DUTY_COLUMNS} FROM haft.workspace w
JOIN haft.call c ON c.tenant = w.tenant AND c.workspace = w.id AND c.state IN ('preparing', 'running')
WHERE w.worker = $1 AND c.worker = $1 AND c.cancelled_by IS NOT NULL
ORDER BY ord`;
