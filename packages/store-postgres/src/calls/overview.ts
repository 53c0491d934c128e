import { DEFAULT_TENANT_LIMITS, type StoreOverview, type UnsettledCounts } from "@haft/core/calls";
import type { Database, Row } from "../database.js";
import { keyText } from "../key-text.js";

export async function overview({ query }: Database, tenant: string | undefined): Promise<StoreOverview> {
  const only = [tenant === undefined ? null : keyText(tenant)];
  const [tenants, workspaces, [clock]] = await Promise.all([
    query(TENANTS, only),
    query(WORKSPACES, only),
    query(CLOCK),
  ]);
  return {
    atMs: Number(clock?.ms),
    tenants: tenants.map((row) => ({
      tenant: row.tenant as string,
      maxRunning: Number(row.max_running ?? DEFAULT_TENANT_LIMITS.maxRunning),
      maxQueued: Number(row.max_queued ?? DEFAULT_TENANT_LIMITS.maxQueued),
      calls: countsOf(row),
    })),
    workspaces: workspaces.map((row) => ({
      tenant: JSON.parse(row.tenant_name as string),
      workspace: JSON.parse(row.name as string),
      epoch: Number(row.epoch),
      calls: countsOf(row),
      ...(row.worker !== null && { worker: row.worker as string, expiresAtMs: Number(row.expires_ms) }),
    })),
  };
}

function countsOf(row: Row): UnsettledCounts {
  return {
    queued: Number(row.queued),
    preparing: Number(row.preparing),
    awaiting_approval: Number(row.awaiting_approval),
    running: Number(row.running),
  };
}

const CLOCK = "SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms";

/** One count per state, each from the partial index of that state. */
const countsWhere = (condition: string) => `
  (SELECT count(*) FROM haft.call c WHERE ${condition} AND state = 'queued') AS queued,
  (SELECT count(*) FROM haft.call c WHERE ${condition} AND state = 'preparing') AS preparing,
  (SELECT count(*) FROM haft.call c WHERE ${condition} AND state = 'running') AS running,
  (SELECT count(*) FROM haft.call c WHERE ${condition} AND state = 'awaiting_approval') AS awaiting_approval`;

const TENANTS = `
SELECT names.tenant, t.max_running, t.max_queued, ${countsWhere("c.tenant = names.tenant")}
FROM (
  SELECT id AS tenant FROM haft.tenant UNION SELECT tenant FROM haft.workspace
  UNION SELECT tenant FROM haft.call WHERE state <> 'settled'
) names LEFT JOIN haft.tenant t ON t.id = names.tenant
WHERE $1::text IS NULL OR names.tenant = $1 ORDER BY names.tenant`;

const WORKSPACES = `
SELECT w.tenant_name, w.name, w.epoch, CASE WHEN w.expires_at >= clock_timestamp() THEN w.worker END AS worker,
  extract(epoch FROM w.expires_at) * 1000 AS expires_ms, ${countsWhere("c.tenant = w.tenant AND c.workspace = w.id")}
FROM haft.workspace w WHERE $1::text IS NULL OR w.tenant = $1 ORDER BY w.tenant, w.id`;
