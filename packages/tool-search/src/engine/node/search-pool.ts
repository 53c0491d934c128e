import { MessageChannel, Worker } from "node:worker_threads";
import type { CollectedLines } from "../search/collect-lines.js";
import type { SearchOutcome } from "../search/search-outcome.js";
import type { SearchRequest } from "../search/search-request.js";
import { chooseAnswer, mergeTallies, outcomeOf, type SearchTally } from "../search/search-tally.js";
import { orAborted } from "./or-aborted.js";
import { ThreadsLost } from "./threads-lost.js";
import { CONTROL, type FromWorker, type ToWorker, type WorkerSetup } from "./worker-messages.js";

/** What a search throws away is small; with more room than this V8 only collects it later. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };

/** Two threads that share one search at a time: the leader walks and searches, the helper searches. */
export class SearchPool {
  private workers: Worker[] = [];
  private readyWorkers = 0;
  private started: Promise<void> | undefined;
  private onReady: () => void = () => {};
  /** The threads could not even start: there is no point in trying again. */
  private broken = false;
  private nextId = 1;
  private waiting = 0;
  private queue: Promise<unknown> = Promise.resolve();
  private running: RunningSearch | undefined;
  private ending: Promise<void> | undefined;

  constructor(
    private readonly entry: URL,
    private readonly setup: WorkerSetup,
  ) {}

  get ready(): boolean {
    return this.readyWorkers === 2;
  }

  /** Starts the threads, once; resolves when they are ready. They do not keep the process alive. */
  start(): Promise<void> {
    if (this.broken) return Promise.resolve();
    this.started ??= new Promise((resolve) => {
      this.onReady = resolve;
      this.spawn();
    });
    return this.started;
  }

  /** The same, and keeps the process alive until then. */
  async whenReady(): Promise<void> {
    await this.keepAlive(this.start());
  }

  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchOutcome> {
    const turn = this.queue.then(() => this.run(request, signal));
    this.queue = turn.catch(() => {}).then(() => Promise.all([this.ending, this.running?.idle]));
    return this.keepAlive(orAborted(turn, signal));
  }

  /** Settles when no thread works any more at the searches asked for so far. */
  async whenIdle(): Promise<void> {
    await this.queue;
  }

  async dispose(): Promise<void> {
    const workers = this.workers;
    this.workers = [];
    this.readyWorkers = 0;
    this.started = undefined;
    this.onReady();
    this.running?.abandon(new ThreadsLost("the search pool was disposed"));
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  // Threads alone do not keep a process alive; somebody who waits for them does.
  private async keepAlive<T>(waiting: Promise<T>): Promise<T> {
    if (this.waiting++ === 0) for (const worker of this.workers) worker.ref();
    try {
      return await waiting;
    } finally {
      if (--this.waiting === 0) for (const worker of this.workers) worker.unref();
    }
  }

  private spawn(): void {
    const { port1, port2 } = new MessageChannel();
    this.workers = [port1, port2].map((port, index) => {
      const worker = new Worker(this.entry, { workerData: this.setup, resourceLimits: LIMITS });
      const connect: ToWorker = { type: "connect", role: index === 0 ? "leader" : "helper", port };
      worker.on("message", (message: FromWorker) => this.receive(message));
      worker.on("error", (error) => this.fail(error));
      // One that ends without an error is missed as much, unless it was told to.
      worker.on("exit", (code) => {
        if (this.workers.includes(worker)) this.fail(new Error(`a search thread ended with code ${code}`));
      });
      worker.postMessage(connect, [port]);
      worker.unref();
      return worker;
    });
  }

  private async run(request: SearchRequest, signal?: AbortSignal): Promise<SearchOutcome> {
    signal?.throwIfAborted();
    const [leader] = this.workers;
    if (!leader) throw new ThreadsLost("the search threads are gone");
    const id = this.nextId++;
    const control = new Int32Array(new SharedArrayBuffer(8));
    const stop = () => {
      Atomics.store(control, CONTROL.stop, 1);
      this.running?.reject(signal?.reason);
    };
    this.running = new RunningSearch(
      id,
      (wanted) => this.send(leader, { type: "collect", id, wanted }),
      request,
    );
    signal?.addEventListener("abort", stop, { once: true });
    this.send(leader, { type: "search", id, request, control });
    try {
      return await this.running.outcome;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  private send(worker: Worker, message: ToWorker): void {
    worker.postMessage(message);
  }

  private receive(message: FromWorker): void {
    if (message.type === "ready") {
      if (++this.readyWorkers === 2) this.onReady();
    } else if (message.id === this.running?.id) this.running.receive(message);
  }

  // A thread that died takes the pool with it; the next large search starts a new one.
  private fail(error: Error): void {
    this.broken ||= !this.ready;
    this.running?.abandon(new ThreadsLost("a search thread died", { cause: error }));
    this.ending = this.dispose();
  }
}

class RunningSearch {
  readonly outcome: Promise<SearchOutcome>;
  /** Settles when both threads are free again, which for a cancelled search is a little later than `outcome`. */
  readonly idle: Promise<void>;
  reject: (reason: unknown) => void = () => {};
  private resolve: (outcome: SearchOutcome) => void = () => {};
  private becomeIdle: () => void = () => {};
  private tally: SearchTally | undefined;
  private answers = 0;
  private failed = false;

  constructor(
    readonly id: number,
    private readonly collect: (wanted: ReturnType<typeof chooseAnswer>) => void,
    private readonly request: SearchRequest,
  ) {
    this.outcome = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = (reason) => {
        this.failed = true;
        reject(reason);
      };
    });
    this.idle = new Promise((resolve) => {
      this.becomeIdle = resolve;
    });
  }

  receive(message: Exclude<FromWorker, { type: "ready" }>): void {
    if (message.type === "lines") {
      this.finish(message);
      return;
    }
    if (message.type === "failed") this.reject(new Error("a search thread failed", { cause: message.error }));
    else if (message.tally) this.tally = this.tally ? mergeTallies(this.tally, message.tally) : message.tally;
    if (++this.answers < 2) return;
    if (this.failed || !this.tally) this.becomeIdle();
    else this.collect(chooseAnswer(this.tally, this.request));
  }

  /** The threads are gone: nothing will answer any more. */
  abandon(reason: Error): void {
    this.reject(reason);
    this.becomeIdle();
  }

  private finish(collected: CollectedLines): void {
    this.becomeIdle();
    if (this.tally) this.resolve(outcomeOf(this.tally, collected));
  }
}
