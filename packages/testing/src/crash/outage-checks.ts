import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "../runner/expect.js";
import { CRASH, type CrashChecks, LEASE_MS, linesOf, until } from "./crash-bench.js";

/** What holds while the store's server is away. */
export const OUTAGE_CHECKS: CrashChecks = [
  [
    "FP5 the server is killed and away for longer than a lease: submits fail, a running call settles, no takeover",
    async (stage) => {
      const { killServer, store, connect } = stage.bench;
      if (killServer === undefined) return;
      const workers = [await stage.start(), await stage.start()];
      const client = await connect();
      const log = stage.newLog();
      const call = client.call("appends", { log, line: "x", after_ms: 300 });
      await until(() => linesOf(log).length > 0);
      const before = await store.calls.workspace(CRASH);
      const startServer = await killServer();
      const awayUntil = Date.now() + awayMs();
      expect(await client.call("appends", { log, line: "lost" })).toMatchObject({
        ok: false,
        error: { code: "STORE_UNAVAILABLE" },
      });
      await sleep(Math.max(0, awayUntil - Date.now()));
      await startServer();
      expect(await call).toMatchObject({ ok: true });
      expect(linesOf(log)).toEqual(["x"]);
      expect((await store.calls.workspace(CRASH))?.epoch).toBe(before?.epoch);
      await client.dispose();
      await stage.stop(...workers);
    },
  ],
  [
    "S1 S2 the server is killed under load: a call made again with its id gets a result, and has its effect once",
    async (stage) => {
      const { killServer, connect } = stage.bench;
      if (killServer === undefined) return;
      const worker = await stage.start();
      const client = await connect();
      const log = stage.newLog();
      const ids = Array.from({ length: 60 }, () => stage.newId("outage"));
      const make = (line: string) => client.call("appends", { log, line }, { callId: line });
      const made = ids.map(async (line, nth) => {
        await sleep(nth * 5);
        return make(line);
      });
      await until(() => linesOf(log).length > 5);
      const startServer = await killServer();
      await sleep(LEASE_MS);
      await startServer();
      for (const result of await Promise.all(made))
        if (!result.ok) expect(result).toMatchObject({ error: { code: "STORE_UNAVAILABLE" } });
      for (const line of ids) expect(await make(line)).toMatchObject({ ok: true });
      expect([...linesOf(log)].sort()).toEqual([...ids].sort());
      await client.dispose();
      await stage.stop(worker);
    },
  ],
];

/** The long form takes ten seconds. */
function awayMs(): number {
  return Number(process.env.HAFT_CRASH_AWAY_SECONDS ?? (2 * LEASE_MS) / 1_000) * 1_000;
}
