import { isMainThread, Worker } from "node:worker_threads";

export interface ImportWatch {
  /** Whether the import blocked the thread for too long and was stopped. */
  readonly hasStopped: boolean;
  /** Resolves when the import was stopped. */
  readonly stopped: Promise<void>;
  end(): void;
}

/**
 * Stops code that blocks this thread for longer than `limitMs`, such as an endless loop at the top of a module. Stopped
 * code cannot continue, and a promise for it may never settle. Works only on Node's main thread; returns undefined
 * elsewhere.
 */
export function watchBlockedImport(limitMs: number): ImportWatch | undefined {
  const thread = startThread(limitMs);
  if (thread === undefined) return undefined;
  const { worker, cells } = thread;
  const beat = setInterval(() => Atomics.add(cells, BEATS, 1), BEAT_MS);
  beat.unref();
  const stopped = new Promise<void>((resolve) => {
    worker.once("message", () => resolve());
    // Without its watch an import still has its ordinary time limit.
    worker.once("error", () => {});
  });
  // The import alone decides how long the process lives. Listeners would hold it, so this comes after them.
  worker.unref();
  return {
    stopped,
    get hasStopped() {
      return Atomics.load(cells, STOPPED) === 1;
    },
    end: () => {
      Atomics.store(cells, IS_OVER, 1);
      clearInterval(beat);
      void worker.terminate();
    },
  };
}

const [BEATS, STOPPED, IS_OVER, CELLS] = [0, 1, 2, 3];
const BEAT_MS = 100;

function startThread(limitMs: number): { readonly worker: Worker; readonly cells: Int32Array } | undefined {
  if (!isMainThread || process.versions.bun !== undefined || "Deno" in globalThis) return undefined;
  const cells = new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT));
  try {
    return { worker: new Worker(SOURCE, { eval: true, workerData: { cells, limitMs } }), cells };
  } catch {
    // A process that may not start threads.
    return undefined;
  }
}

/**
 * The thread, as CommonJS text so that it also starts from a bundle. Counts processor time, so that a busy machine does
 * not stop an import that makes progress; code that sleeps uses none and has six times as long.
 */
const SOURCE = `
"use strict";
const { Session } = require("node:inspector");
const { parentPort, workerData } = require("node:worker_threads");

const { cells, limitMs } = workerData;
const [BEATS, STOPPED, IS_OVER] = [0, 1, 2];
const TICK_MS = 100;
let seen = -1;
let since;

const timer = setInterval(() => {
  const beats = Atomics.load(cells, BEATS);
  if (beats !== seen) since = { cpu: process.cpuUsage(), ticks: 0 };
  seen = beats;
  // The clock would also count the time that a process was suspended.
  since.ticks += 1;
  const { user, system } = process.cpuUsage(since.cpu);
  const isStuck = (user + system) / 1000 > limitMs || since.ticks * TICK_MS > 6 * limitMs;
  if (!isStuck || Atomics.load(cells, IS_OVER) === 1) return;
  clearInterval(timer);
  Atomics.store(cells, STOPPED, 1);
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.terminateExecution");
  session.disconnect();
  parentPort.postMessage("stopped");
}, TICK_MS);
`;
