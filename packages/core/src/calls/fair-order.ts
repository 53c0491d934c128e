import type { CallRow } from "./call-rows.js";

interface TenantLoad {
  readonly active: number;
  readonly max: number;
}

/**
 * Chooses the calls a worker claims: repeatedly, the oldest call of the tenant with the fewest active calls. A tenant
 * with one call does not wait behind another with a thousand.
 */
export function fairOrder(
  queues: readonly (readonly CallRow[])[],
  limit: number,
  loadOf: (tenant: string) => TenantLoad,
): readonly CallRow[] {
  const tenants = new Map<string, Candidate>();
  for (const queue of queues) {
    const tenant = queue[0]?.tenant;
    if (tenant === undefined) continue;
    const candidate = tenants.get(tenant) ?? { ...loadOf(tenant), rows: [] };
    candidate.rows.push(...queue.slice(0, limit));
    tenants.set(tenant, candidate);
  }
  const candidates = [...tenants.values()];
  for (const { rows } of candidates) rows.sort((a, b) => b.ord - a.ord);
  return takeInTurns(candidates, limit);
}

interface Candidate {
  active: number;
  readonly max: number;
  /** Oldest last. */
  readonly rows: CallRow[];
}

function takeInTurns(candidates: readonly Candidate[], limit: number): readonly CallRow[] {
  const chosen: CallRow[] = [];
  while (chosen.length < limit) {
    const ready = candidates.filter(({ active, max, rows }) => rows.length > 0 && active < max);
    const next = ready.sort((a, b) => a.active - b.active || ordOf(a) - ordOf(b))[0];
    const row = next?.rows.pop();
    if (next === undefined || row === undefined) break;
    next.active += 1;
    chosen.push(row);
  }
  return chosen.sort((a, b) => a.ord - b.ord);
}

function ordOf({ rows }: Candidate): number {
  return rows.at(-1)?.ord ?? Infinity;
}
