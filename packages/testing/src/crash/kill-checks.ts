import { expect } from "../runner/expect.js";
import { CRASH, type CrashChecks, type CrashStage, linesOf, until } from "./crash-bench.js";

const FOREVER_MS = 600_000;

/** Kills at every point of a call, zombie workers, and exclusive workspaces. */
export const KILL_CHECKS: CrashChecks = [
  [
    "S1 a call made twice has one effect and one result; a different one with its id is rejected",
    async (stage) => {
      const worker = await stage.start();
      const client = await stage.bench.connect();
      const log = stage.newLog();
      const options = { callId: stage.newId("twice") };
      const made = [1, 2].map(() => client.call("appends", { log, line: "x", after_ms: 50 }, options));
      for (const result of await Promise.all(made)) expect(result).toMatchObject({ ok: true });
      expect(await client.call("appends", { log, line: "x", after_ms: 50 }, options)).toMatchObject({
        ok: true,
      });
      expect(await client.call("appends", { log, line: "y" }, options)).toMatchObject({
        error: { code: "CALL_ID_CONFLICT" },
      });
      expect(linesOf(log)).toEqual(["x"]);
      await client.dispose();
      await stage.stop(worker);
    },
  ],
  [
    "S3 killed before the start: the next worker runs the call, once",
    async (stage) => {
      const first = await stage.start();
      const client = await stage.bench.connect();
      first.kill("SIGSTOP");
      const log = stage.newLog();
      const callId = stage.newId("before");
      const call = client.call("appends", { log, line: "x" }, { callId });
      await stage.inState(callId, "queued", "preparing");
      first.kill("SIGKILL");
      const second = await stage.start();
      expect(await call).toMatchObject({ ok: true });
      expect(linesOf(log)).toEqual(["x"]);
      await client.dispose();
      await stage.stop(second);
    },
  ],
  [
    "S2 killed after the start, before the effect: reported as unknown, never repeated",
    (stage) => killed(stage, { before_ms: FOREVER_MS }, []),
  ],
  [
    "S2 killed inside the effect: reported as unknown, never repeated",
    (stage) => killed(stage, { after_ms: FOREVER_MS }, ["x"]),
  ],
  [
    "S2 killed after the effect, before it settled: reported as unknown, never repeated",
    async (stage) => {
      const first = await stage.start();
      const client = await stage.bench.connect();
      const log = stage.newLog();
      const call = client.call("appends", { log, line: "x", kill: true });
      await first.ended;
      const second = await stage.start();
      expect(await call).toMatchObject({ ok: false, error: { code: "UNKNOWN_OUTCOME" } });
      expect(linesOf(log)).toEqual(["x"]);
      await client.dispose();
      await stage.stop(second);
    },
  ],
  [
    "S3 an idempotent tool runs again after its worker was killed, and its attempt is counted",
    async (stage) => {
      const first = await stage.start();
      const client = await stage.bench.connect();
      const log = stage.newLog();
      const callId = stage.newId("again");
      const call = client.call("appends_again", { log, line: "x", after_ms: 300 }, { callId });
      await until(() => linesOf(log).length > 0);
      first.kill("SIGKILL");
      const second = await stage.start();
      expect(await call).toMatchObject({ ok: true });
      expect(linesOf(log)).toEqual(["x", "x"]);
      expect(await stage.record(callId)).toMatchObject({ attempt: 2, settlement: { outcome: "ok" } });
      await client.dispose();
      await stage.stop(second);
    },
  ],
  [
    "S4 a zombie is fenced: stopped beyond its lease, continued after the takeover",
    async (stage) => {
      const zombie = await stage.start();
      const client = await stage.bench.connect();
      const log = stage.newLog();
      const callId = stage.newId("zombie");
      const call = client.call("appends", { log, line: "x", after_ms: 500 }, { callId });
      await until(() => linesOf(log).length > 0);
      zombie.kill("SIGSTOP");
      const second = await stage.start();
      expect(await call).toMatchObject({ ok: false, error: { code: "UNKNOWN_OUTCOME" } });
      zombie.kill("SIGCONT");
      // It drains only after trying to settle its call.
      await stage.stop(zombie);
      expect((await stage.record(callId))?.settlement).toEqual({
        outcome: "unknown",
        code: "UNKNOWN_OUTCOME",
      });
      expect(linesOf(log)).toEqual(["x"]);
      expect(await stage.bench.store.calls.workspace(CRASH)).toMatchObject({ worker: second.workerId });
      await client.dispose();
      await stage.stop(second);
    },
  ],
  [
    "FP5 one of two workers holds the workspace, and the other takes it over when it is drained",
    async (stage) => {
      const workers = [await stage.start(), await stage.start()];
      const holder = (await stage.bench.store.calls.workspace(CRASH))?.worker;
      const first = workers.find(({ workerId }) => workerId === holder);
      const other = workers.find(({ workerId }) => workerId !== holder);
      if (first === undefined || other === undefined) throw new Error("one of the workers must hold it");
      await stage.stop(first);
      await until(async () => (await stage.bench.store.calls.workspace(CRASH))?.worker === other.workerId);
      await stage.stop(other);
    },
  ],
];

async function killed(stage: CrashStage, pauses: object, effects: readonly string[]): Promise<void> {
  const first = await stage.start();
  const client = await stage.bench.connect();
  const log = stage.newLog();
  const callId = stage.newId("killed");
  const call = client.call("appends", { log, line: "x", ...pauses }, { callId });
  await stage.inState(callId, "running");
  await until(() => linesOf(log).length === effects.length);
  first.kill("SIGKILL");
  const second = await stage.start();
  expect(await call).toMatchObject({ ok: false, error: { code: "UNKNOWN_OUTCOME" } });
  expect(linesOf(log)).toEqual(effects);
  expect(await client.call("appends", { log, line: "y" })).toMatchObject({ ok: true });
  await client.dispose();
  await stage.stop(second);
}
