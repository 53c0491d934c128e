import type { Worker } from "node:worker_threads";

export interface BlockWatch {
  /** Whether code blocked the thread for too long and was stopped. */
  readonly hasStopped: boolean;
  /** Resolves when code was stopped. */
  readonly stopped: Promise<void>;
  /** Sets how long code may block this thread, in milliseconds, from now on. */
  setLimit(limitMs: number): void;
  end(): void;
}

export interface BlockLimits {
  /** How long code may block this thread, in milliseconds. */
  readonly limitMs: number;
  /**
   * Called within the code that blocks this thread, with its stack. If it returns true the code is stopped: it cannot
   * continue, and a promise for it may never settle. It may also end the process.
   */
  mayStop(stack: string): boolean;
}

/**
 * Watches for code that blocks this thread, such as an endless loop at the top of a module. Reports only the first such
 * code. Works only on Node's main thread; elsewhere it stops nothing.
 */
export async function watchBlockedThread({ limitMs, mayStop }: BlockLimits): Promise<BlockWatch> {
  const thread = await startThread();
  if (thread === undefined) return UNWATCHED;
  const { worker, cells } = thread;
  const { threadId } = worker;
  watches().set(threadId, () => Atomics.store(cells, VERDICT, mayStop(blockedStack()) ? STOP : LEAVE));
  const setLimit = (ms: number) => void Atomics.store(cells, LIMIT_MS, Math.min(ms, MAX_LIMIT_MS));
  setLimit(limitMs);
  const beat = setInterval(() => Atomics.add(cells, BEATS, 1), BEAT_MS);
  beat.unref();
  const stopped = new Promise<void>((resolve) => {
    worker.once("message", () => resolve());
    // Without the thread nothing is stopped.
    worker.once("error", () => {});
  });
  // The watch does not keep the process alive. Listeners would, so this comes after them.
  worker.unref();
  return {
    stopped,
    setLimit,
    get hasStopped() {
      return Atomics.load(cells, VERDICT) === STOP;
    },
    end: () => {
      Atomics.store(cells, IS_OVER, 1);
      watches().delete(threadId);
      clearInterval(beat);
      void worker.terminate();
    },
  };
}

/** Stops nothing. */
export const UNWATCHED: BlockWatch = {
  hasStopped: false,
  stopped: new Promise(() => {}),
  setLimit: () => {},
  end: () => {},
};

/** Whether code was called by a timer. Stopping it there would end the process: Node finds its own stack corrupted. */
export function isInTimer(stack: string): boolean {
  return /\(node:internal\/timers:/.test(stack);
}

/** The stack without the frames of this file and of the inspector. */
function blockedStack(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack.slice(stack.indexOf("<anonymous>:1:"));
}

/** What each watching thread calls within the code that blocks, by thread id. Shared by all copies of this package. */
function watches(): Map<number, () => void> {
  const shared = globalThis as { [WATCHES]?: Map<number, () => void> };
  shared[WATCHES] ??= new Map();
  return shared[WATCHES];
}

const WATCHES = Symbol.for("haft.block-watches.v1");
const [BEATS, VERDICT, IS_OVER, LIMIT_MS, CELLS] = [0, 1, 2, 3, 4];
const [STOP, LEAVE] = [1, 2];
const BEAT_MS = 100;
/** The largest number of a cell; a tool may set no limit at all. */
const MAX_LIMIT_MS = 2 ** 31 - 1;

async function startThread(): Promise<WatchThread | undefined> {
  // Loaded here: few processes run packs of others, and loading it takes milliseconds.
  const { isMainThread, Worker } = await import("node:worker_threads");
  if (!isMainThread || process.versions.bun !== undefined || "Deno" in globalThis) return undefined;
  const cells = new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT));
  try {
    return { worker: new Worker(SOURCE, { eval: true, workerData: { cells } }), cells };
  } catch {
    // A process that may not start threads.
    return undefined;
  }
}

interface WatchThread {
  readonly worker: Worker;
  readonly cells: Int32Array;
}

/**
 * The thread, as CommonJS text so that it also starts from a bundle. Counts processor time, so that a busy machine does
 * not stop code that makes progress; code that sleeps uses none and has six times as long. The inspector evaluates in
 * the middle of a loop, but answers only afterwards, so the verdict comes through shared memory.
 */
const SOURCE = `
"use strict";
const { Session } = require("node:inspector");
const { parentPort, threadId, workerData } = require("node:worker_threads");

const { cells } = workerData;
const [BEATS, VERDICT, IS_OVER, LIMIT_MS] = [0, 1, 2, 3];
const STOP = 1;
const TICK_MS = 100;
const JUDGE = "globalThis[Symbol.for('haft.block-watches.v1')].get(" + threadId + ")()";
let seen = -1;
let since;

const timer = setInterval(() => {
  const beats = Atomics.load(cells, BEATS);
  if (beats !== seen) since = { cpu: process.cpuUsage(), ticks: 0 };
  seen = beats;
  // The clock would also count the time that a process was suspended.
  since.ticks += 1;
  const { user, system } = process.cpuUsage(since.cpu);
  const limitMs = Atomics.load(cells, LIMIT_MS);
  const isStuck = (user + system) / 1000 > limitMs || since.ticks * TICK_MS > 6 * limitMs;
  if (!isStuck || Atomics.load(cells, IS_OVER) === 1) return;
  clearInterval(timer);
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.evaluate", { expression: JUDGE });
  const judging = setInterval(() => {
    const verdict = Atomics.load(cells, VERDICT);
    if (verdict === 0) return;
    clearInterval(judging);
    if (verdict === STOP) session.post("Runtime.terminateExecution");
    session.disconnect();
    if (verdict === STOP) parentPort.postMessage("stopped");
  }, TICK_MS);
}, TICK_MS);
`;
