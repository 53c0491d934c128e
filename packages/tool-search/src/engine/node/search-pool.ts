import { Worker } from "node:worker_threads";
import type { AskedSearch } from "./helped-search.js";
import { PathQueue, sharePathQueue } from "./path-queue.js";
import { TeamSearch } from "./team-search.js";
import { ThreadsLost } from "./threads-lost.js";
import type { FromWorker, ToWorker, WorkerSetup } from "./worker-messages.js";

/** A search leaves little garbage; with more room V8 only collects it later. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };
const THREADS = 2;
/** Where ids restart: they share a cell with a counter. */
const MAX_ID = 1 << 26;

type TeamRequest = Pick<AskedSearch, "request" | "knowledge" | "isQuiet">;

/** Up to two threads that help one search at a time. The caller's thread leads it. */
export class SearchPool {
  private workers: Worker[] = [];
  private readonly ready = new Set<Worker>();
  private readonly waiters = new Set<() => void>();
  /** A thread could not start, so retrying is pointless. */
  private broken = false;
  private nextId = 1;
  private waiting = 0;
  private running: TeamSearch | undefined;
  private readonly setup: WorkerSetup;
  private readonly queue: PathQueue;

  constructor(
    private readonly entry: URL,
    setup: Omit<WorkerSetup, "paths">,
  ) {
    this.setup = { ...setup, paths: sharePathQueue() };
    this.queue = new PathQueue(this.setup.paths);
  }

  /** Whether both threads run, so that the caller's thread need not search. */
  get isFull(): boolean {
    return this.ready.size === THREADS;
  }

  /** Starts threads until there are `count`. They do not keep the process alive. */
  start(count: 1 | typeof THREADS): void {
    while (!this.broken && this.workers.length < count) this.workers.push(this.spawn());
  }

  /** Starts threads until there are `count`, and resolves when they run or one has failed. */
  whenReady(count: 1 | typeof THREADS): Promise<void> {
    this.start(count);
    return new Promise((resolve) => {
      const look = () => {
        if (this.ready.size < count && this.workers.length > 0) return;
        this.waiters.delete(look);
        resolve();
      };
      this.waiters.add(look);
      look();
    });
  }

  /** Starts both threads and keeps the process alive until they run. */
  async whenFull(): Promise<void> {
    await this.keepAlive(this.whenReady(THREADS));
  }

  /** Asks all threads for help, including those still starting. One search at a time: see `whenIdle`. */
  begin({ request, knowledge, isQuiet }: TeamRequest, startedAt: number): TeamSearch {
    const id = this.nextId;
    this.nextId = (id % MAX_ID) + 1;
    const [first] = this.workers;
    const send = (message: ToWorker) => first?.postMessage(message);
    const running = new TeamSearch({
      id,
      queue: this.queue,
      expected: this.isFull ? THREADS : undefined,
      collect: (wanted) => send({ type: "collect", id, wanted }),
      keepAlive: (work) => (isQuiet ? work : this.keepAlive(work)),
    });
    this.running = running;
    this.workers.forEach((worker, index) => {
      const turn = isQuiet ? index : undefined;
      worker.postMessage({ type: "search", id, request, knowledge, startedAt, turn } satisfies ToWorker);
    });
    return running;
  }

  /** Settles when no thread works on the last search any more. */
  async whenIdle(): Promise<void> {
    if (this.running) await this.keepAlive(this.running.idle);
  }

  async dispose(): Promise<void> {
    const workers = this.workers;
    this.workers = [];
    this.ready.clear();
    this.notifyWaiters();
    this.running?.abandon(new ThreadsLost("the search pool was disposed"));
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  // Threads do not keep a process alive, but a caller that waits for them should.
  private async keepAlive<T>(work: Promise<T>): Promise<T> {
    if (this.waiting++ === 0) for (const worker of this.workers) worker.ref();
    try {
      return await work;
    } finally {
      if (--this.waiting === 0) for (const worker of this.workers) worker.unref();
    }
  }

  private spawn(): Worker {
    const worker = new Worker(this.entry, { workerData: this.setup, resourceLimits: LIMITS });
    worker.on("message", (message: FromWorker) => this.receive(worker, message));
    worker.on("error", (error) => this.fail(worker, error));
    // A thread that ends without an error is lost as well, unless it was told to end.
    worker.on("exit", (code) => this.fail(worker, new Error(`a search thread ended with code ${code}`)));
    if (this.waiting === 0) worker.unref();
    return worker;
  }

  private receive(worker: Worker, message: FromWorker): void {
    if (message.type !== "ready") this.running?.receive(message);
    else {
      this.ready.add(worker);
      this.notifyWaiters();
    }
  }

  private notifyWaiters(): void {
    for (const look of [...this.waiters]) look();
  }

  // A dead thread ends the pool; the next large search starts a new one.
  private fail(worker: Worker, error: Error): void {
    if (!this.workers.includes(worker)) return;
    this.broken ||= !this.ready.has(worker);
    this.running?.abandon(new ThreadsLost("a search thread died", { cause: error }));
    void this.dispose();
  }
}
