import { createRequire } from "node:module";
import { postgresStore } from "@haft/store-postgres";
import { expect, it, vi } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres, startPostgres } from "../../../tooling/testing/start-postgres.js";
import { actAll, TENANT_ACTS, TENANT_REMOVALS } from "./fixtures/tenant-script.js";

/** The client that the store uses, to read along. */
const pg = createRequire(new URL("../../store-postgres/package.json", import.meta.url))("pg");
type Queries = { readonly Client: { prototype: { query(...args: readonly unknown[]): unknown } } };

const TABLES = /\bhaft\.(?:call|approval|workspace|saved_grant|audit|audit_head|run|run_event|member)\b/g;
/** What limits a table to one tenant, or to the workspaces that a worker holds. */
const LIMITS =
  /\btenant = |\(tenant, \w+\) IN|\(w\.tenant, w\.id\) IN|INSERT INTO haft\.\w+(?: AS \w+)? \(tenant,|(?<!c\.)\bworker = (?:\$1|p_worker)|worker IS NULL OR/g;

/** These read or change all tenants, on behalf of whoever operates the store, unless one is named. */
const ALL_TENANTS = [
  // `names` and the outer condition limit what the inner queries find.
  /^SELECT names\.tenant, t\.max_running/,
  /^SELECT w\.tenant_name, w\.name, w\.epoch/,
  /^WITH gone AS \( DELETE FROM haft\.call WHERE \(tenant, id\) IN \( SELECT tenant, id FROM haft\.call WHERE state = 'settled' AND settled_at < to_timestamp\(\$1 \/ 1000\.0\) AND \(\$2::text IS NULL OR tenant = \$2\)/,
];

describeUnless(noPostgres(), "the statements of the PostgreSQL store", { timeout: 60_000 }, () => {
  it("FP5 every statement that reads or changes a tenant's rows names the tenant, for every table it uses", async () => {
    await using server = await startPostgres();
    const store = postgresStore(server.url);
    await store.migrate();
    const query = vi.spyOn((pg as Queries).Client.prototype, "query");
    const who = { tenant: "acme", text: "text" };
    await actAll(store, { ...TENANT_ACTS, ...TENANT_REMOVALS }, who);
    const statements = new Set(query.mock.calls.map(([given]) => oneLine(textOf(given))));
    query.mockRestore();
    const client = new pg.Client(server.url);
    await client.connect();
    const { rows } = await client.query(
      "SELECT p.prosrc FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'haft'",
    );
    await client.end();
    await store.close();
    for (const { prosrc } of rows as { prosrc: string }[])
      for (const part of prosrc.replaceAll(/--.*/g, "").split(";")) statements.add(oneLine(part));
    const used = [...statements].filter((text) => text.match(TABLES) !== null);
    expect(used.length).toBeGreaterThan(40);
    const limited = used.filter((text) => !ALL_TENANTS.some((pattern) => pattern.test(text)));
    expect(used.length - limited.length).toBe(ALL_TENANTS.length);
    expect(limited.filter((text) => count(text, LIMITS) < count(text, TABLES))).toEqual([]);
  });
});

function textOf(given: unknown): string {
  return typeof given === "string" ? given : String((given as { readonly text?: string }).text ?? "");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
