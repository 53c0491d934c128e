import type { CallState, WorkspaceKey } from "./call-record.js";
import type { CallRows } from "./call-rows.js";
import type { StoreOverview, TenantLimits, UnsettledCounts } from "./call-store.js";

interface OverviewParts {
  readonly rows: CallRows;
  readonly leases: readonly (WorkspaceKey & {
    readonly epoch: number;
    readonly worker?: string;
    readonly expiresAtMs?: number;
  })[];
  /** Tenants with their own quotas. */
  readonly known: Iterable<string>;
  limitsOf(tenant: string): Required<TenantLimits>;
  readonly nowMs: number;
}

export function overviewOf(tenant: string | undefined, parts: OverviewParts): StoreOverview {
  const { rows, leases, known, limitsOf, nowMs } = parts;
  const isWanted = (each: string) => tenant === undefined || each === tenant;
  const names = new Set([
    ...known,
    ...leases.map((lease) => lease.tenant),
    ...(tenant === undefined ? tenantsOf(rows) : withCalls(rows, tenant)),
  ]);
  return {
    atMs: nowMs,
    tenants: [...names]
      .filter(isWanted)
      .sort()
      .map((each) => ({
        tenant: each,
        ...limitsOf(each),
        calls: counts((state) => rows.count(each, state)),
      })),
    workspaces: leases
      .filter((lease) => isWanted(lease.tenant))
      .map(({ tenant: owner, workspace, epoch, worker, expiresAtMs = 0 }) => ({
        tenant: owner,
        workspace,
        epoch,
        calls: counts((state) => rows.inState({ tenant: owner, workspace }, state).length),
        ...(worker !== undefined && expiresAtMs >= nowMs && { worker, expiresAtMs }),
      }))
      .sort((a, b) =>
        JSON.stringify([a.tenant, a.workspace]) < JSON.stringify([b.tenant, b.workspace]) ? -1 : 1,
      ),
  };
}

const UNSETTLED = ["queued", "preparing", "awaiting_approval", "running"] as const satisfies CallState[];

function counts(count: (state: CallState) => number): UnsettledCounts {
  return Object.fromEntries(UNSETTLED.map((state) => [state, count(state)])) as UnsettledCounts;
}

function withCalls(rows: CallRows, tenant: string): readonly string[] {
  return UNSETTLED.some((state) => rows.count(tenant, state) > 0) ? [tenant] : [];
}

function tenantsOf(rows: CallRows): ReadonlySet<string> {
  return new Set([...rows.all()].filter(({ state }) => state !== "settled").map(({ tenant }) => tenant));
}
