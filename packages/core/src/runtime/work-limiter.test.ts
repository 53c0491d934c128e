import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { type LimitedWork, WorkLimiter, type WorkLimits } from "./work-limiter.js";

const MB = 1024 * 1024;
const never = new AbortController().signal;

/** A process whose memory the test sets, and work that ends only on request. */
function fakeProcess() {
  const memory = { rss: 500 * MB, heapTotal: 100 * MB, external: 50 * MB };
  const limits = (signal = never, maxMs = 60_000): WorkLimits => ({
    signal,
    maxMs,
    maxBytes: 100 * MB,
    memoryUsage: () => memory,
    exceeded: (limit) => new Error(`more than ${limit}`),
  });
  return { memory, limits, limiter: new WorkLimiter() };
}

function endlessWork(): LimitedWork<never> & { isEnded: boolean } {
  const work = {
    isEnded: false,
    result: new Promise<never>(() => {}),
    end: async () => {
      work.isEnded = true;
    },
  };
  return work;
}

describe("FR8 work in another thread", () => {
  it("returns its result and ends the thread", async () => {
    const work = { ...endlessWork(), result: Promise.resolve(7) };
    expect(await new WorkLimiter().run(work, fakeProcess().limits())).toBe(7);
  });

  it("is stopped if it takes too long or is cancelled", async () => {
    const { limits, limiter } = fakeProcess();
    const [slow, cancelled] = [endlessWork(), endlessWork()];
    await expect(limiter.run(slow, limits(never, 10))).rejects.toThrow("more than 0.01 s");
    const reason = new Error("enough");
    await expect(limiter.run(cancelled, limits(AbortSignal.abort(reason)))).rejects.toBe(reason);
    expect([slow.isEnded, cancelled.isEnded]).toEqual([true, true]);
  });

  it("FR8 is in time if it finished while its caller was busy", async () => {
    const finished = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(FINISHES, { eval: true, workerData: finished });
    const result = new Promise((resolve) => worker.once("message", resolve));
    const { limiter, limits } = fakeProcess();
    const outcome = limiter.run({ result, end: () => worker.terminate() }, limits(never, 200));
    Atomics.wait(finished, 0, 0);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    expect(await outcome).toBe(7);
  });

  it("is stopped if it uses too much memory, but not because of its caller's memory", async () => {
    const { memory, limits, limiter } = fakeProcess();
    const work = endlessWork();
    const outcome = expect(limiter.run(work, limits())).rejects.toThrow("more than the memory limit");
    memory.rss += 900 * MB;
    memory.heapTotal += 600 * MB;
    memory.external += 250 * MB;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(work.isEnded).toBe(false);
    memory.rss += 51 * MB;
    await outcome;
    expect(work.isEnded).toBe(true);
  });

  it("shares the allowance among everything that runs at the same time", async () => {
    const { memory, limits, limiter } = fakeProcess();
    const works = [endlessWork(), endlessWork(), endlessWork()];
    const outcomes = works.map((work) => expect(limiter.run(work, limits())).rejects.toThrow("memory"));
    memory.rss += 299 * MB;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(works.map(({ isEnded }) => isEnded)).toEqual([false, false, false]);
    memory.rss += 2 * MB;
    await Promise.all(outcomes);
  });
});

const FINISHES = `
  const { parentPort, workerData } = require("node:worker_threads");
  parentPort.postMessage(7);
  Atomics.store(workerData, 0, 1);
  Atomics.notify(workerData, 0);
`;
