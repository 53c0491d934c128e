import { expect, it, vi } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noStandby, startPostgres } from "../../../tooling/testing/start-postgres.js";
import { FrozenProxy } from "./fixtures/frozen-proxy.js";
import { postgresStore } from "./index.js";

const WS = { tenant: "acme", workspace: "ws" };
const CALL = { ...WS, tool: "t", principal: "p", session: "s" };
const LEASE = { workspaces: [WS], ttlMs: 1_000 };

describeUnless(noStandby(), "failover to a streaming replica", { timeout: 120_000 }, () => {
  it("FP5 loses no acknowledged operation, keeps claims, and lets the holder renew before a takeover", async () => {
    await using primary = await startPostgres();
    await using standby = await startPostgres({ standbyOf: primary.url });
    await using proxy = await FrozenProxy.open(primary.url);
    const store = postgresStore({ url: proxy.url, statementMs: 2_000 });
    await store.migrate();
    await waitForStandby(primary.url);
    const { calls } = store;
    await calls.lease({ ...LEASE, worker: "w1" });
    for (const callId of ["running", "queued"]) await calls.submit({ ...CALL, callId });
    const [claimed] = await calls.claim({ worker: "w1", limit: 1 });
    const ref = { tenant: "acme", callId: "running", worker: "w1", epoch: claimed?.epoch ?? 0 };
    expect(await calls.started({ ...ref, isRepeatable: false })).toBe(true);

    await primary.kill();
    await expect(calls.submit({ ...CALL, callId: "late" })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    standby.promote();
    proxy.retarget(standby.url);

    // A connection to the old primary may break only now: the store replaces it.
    const found = await vi.waitFor(
      () => calls.find({ tenant: "acme", callIds: ["running", "queued", "late"] }),
      { timeout: 20_000, interval: 100 },
    );
    expect(found.map(({ callId, state }) => `${callId} ${state}`).sort()).toEqual([
      "queued queued",
      "running running",
    ]);
    // The lease has expired meanwhile. Another worker waits one lease period; the holder returns at once.
    expect(await calls.lease({ ...LEASE, ttlMs: 60_000, worker: "w2" })).toEqual([]);
    expect(await calls.lease({ ...LEASE, worker: "w1" })).toMatchObject([{ epoch: 1, isNew: false }]);
    expect(await calls.settle({ ...ref, settlement: { outcome: "ok" } })).toBe(true);
    await store.close();
  });
});

/** From here on, commits wait for the standby, so acknowledged ones are on both servers. */
async function waitForStandby(url: string): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  // The connection breaks when the primary is killed, if it is still open then.
  client.on("error", () => {});
  await client.connect();
  await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await client.query("SELECT pg_reload_conf()");
  for (;;) {
    const { rows } = await client.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
    if (rows.length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await client.end();
}
