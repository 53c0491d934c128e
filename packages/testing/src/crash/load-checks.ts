import { setTimeout as sleep } from "node:timers/promises";
import { decideApproval, pendingApprovals } from "@haft/core/calls";
import { journalledEvent } from "../contract/journalled-event.js";
import { expect } from "../runner/expect.js";
import {
  CRASH,
  type CrashChecks,
  type CrashStage,
  type CrashWorker,
  LEASE_MS,
  linesOf,
  until,
} from "./crash-bench.js";

/** Quotas, events, lost notifications, and random kills under load. */
export const LOAD_CHECKS: CrashChecks = [
  [
    "S10 S11 quotas hold across processes, for running and for queued calls",
    async (stage) => {
      const { calls } = stage.bench.store;
      const { tenant } = CRASH;
      await calls.limit({ tenant, maxRunning: 2, maxQueued: 3 });
      const worker = await stage.start();
      const client = await stage.bench.connect();
      const log = stage.newLog();
      const made = ["a", "b"].map((line) => client.call("appends", { log, line, after_ms: 400 }));
      await until(() => linesOf(log).length === 2);
      const more = ["c", "d", "e"].map((line) => client.call("appends", { log, line }));
      await until(async () => (await calls.overview({ tenant })).tenants[0]?.calls.queued === 3);
      expect(linesOf(log)).toHaveLength(2);
      const refused = await client.call("appends", { log, line: "f" });
      expect(refused).toMatchObject({ ok: false, error: { code: "OVERLOADED" } });
      for (const result of await Promise.all([...made, ...more])) expect(result).toMatchObject({ ok: true });
      expect([...linesOf(log)].sort()).toEqual(["a", "b", "c", "d", "e"]);
      await calls.limit({ tenant, maxRunning: 64, maxQueued: 10_000 });
      await client.dispose();
      await stage.stop(worker);
    },
  ],
  [
    "S12 twelve writers: a reader that resumes from a sequence number misses no event",
    async ({ bench }) => {
      const runs = bench.store.runs(CRASH.tenant);
      const ids = Array.from({ length: 12 }, (_, nth) => `run-${nth}`);
      let isOver = false;
      const seen = new Map(ids.map((id) => [id, 0]));
      const read = async () => {
        for (const id of ids)
          for (const { seq } of await runs.read(id, seen.get(id))) {
            expect(seq).toBe((seen.get(id) ?? 0) + 1);
            seen.set(id, seq);
          }
      };
      const reading = (async () => {
        while (!isOver) await read();
      })();
      await Promise.all(
        ids.map(async (runId) => {
          const journal = await runs.open(runId);
          for (let seq = 1; seq <= 25; seq += 1) await journal.append(journalledEvent(runId, seq));
          await journal.close();
        }),
      );
      isOver = true;
      await reading;
      await read();
      expect([...seen.values()]).toEqual(ids.map(() => 25));
    },
  ],
  [
    "FP5 without notifications, calls and approvals continue by polling",
    async (stage) => {
      const worker = await stage.start({ isDeaf: true });
      const client = await stage.bench.connect({ isDeaf: true });
      const log = stage.newLog();
      expect(await client.call("appends", { log, line: "x" })).toMatchObject({ ok: true });
      const callId = stage.newId("deaf");
      const call = client.call("puts", { path: callId, text: "x" }, { callId });
      await stage.inState(callId, "awaiting_approval");
      await approveAll(stage);
      expect(await call).toMatchObject({ ok: true });
      await client.dispose();
      await stage.stop(worker);
    },
  ],
  [
    "S2 S4 S6 random kills and stops under load: each effect at most once, every call settles, nothing is left",
    async (stage) => {
      const { store, connect } = stage.bench;
      const over = new AbortController();
      const workers = [await stage.start(), await stage.start()];
      const killing = killAtRandom(stage, workers, over.signal);
      const approving = keepApproving(stage, over.signal);
      const client = await connect();
      const log = stage.newLog();
      const endAt = Date.now() + randomMs();
      const settled: { readonly line: string; readonly isOk: boolean }[] = [];
      const agents = Array.from({ length: 12 }, async (_, agent) => {
        for (let nth = 0; Date.now() < endAt; nth += 1) {
          const line = stage.newId(`r${agent}`);
          const result =
            nth % 10 === 9
              ? await client.call("puts", { path: line, text: line }, { callId: line })
              : await client.call("appends", { log, line, after_ms: nth % 30 }, { callId: line });
          if (result.tool === "appends") settled.push({ line, isOk: result.ok });
        }
      });
      await Promise.all(agents);
      over.abort();
      await Promise.all([killing, approving]);
      const lines = linesOf(log);
      expect(new Set(lines).size).toBe(lines.length);
      for (const { line, isOk } of settled) if (isOk) expect(lines).toContain(line);
      expect(settled.length).toBeGreaterThan(0);
      const { tenants } = await store.calls.overview({ tenant: CRASH.tenant });
      expect(tenants[0]?.calls).toEqual({ queued: 0, preparing: 0, awaiting_approval: 0, running: 0 });
      await client.dispose();
      await stage.stop(...workers);
    },
  ],
];

/** The long form takes a minute. */
function randomMs(): number {
  return Number(process.env.HAFT_CRASH_SECONDS ?? 4) * 1_000;
}

async function approveAll({ bench: { store } }: CrashStage): Promise<void> {
  // A lost worker may have asked twice; the first answer counts.
  for (const { request } of await pendingApprovals(store, CRASH.tenant))
    await decideApproval(store, CRASH.ann, {
      approvalId: request.stepId,
      answer: { approved: true },
    }).catch(() => {});
}

async function keepApproving(stage: CrashStage, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // A store under this load may not answer once; the next round asks again.
    await approveAll(stage).catch(() => {});
    await sleep(50);
  }
}

/** Kills one worker after the other and starts another, also in the list, or stops it for up to two leases. */
async function killAtRandom(stage: CrashStage, workers: CrashWorker[], signal: AbortSignal): Promise<void> {
  for (let nth = 0; !signal.aborted; nth += 1) {
    const index = nth % workers.length;
    if (Math.random() < 0.5) await pause(workers[index]);
    else {
      workers[index]?.kill("SIGKILL");
      workers[index] = await stage.start();
    }
    await sleep(LEASE_MS * (0.5 + Math.random()));
  }
}

async function pause(worker: CrashWorker | undefined): Promise<void> {
  worker?.kill("SIGSTOP");
  await sleep(LEASE_MS * 2 * Math.random());
  worker?.kill("SIGCONT");
}
