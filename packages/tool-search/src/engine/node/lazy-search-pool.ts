import type { NodeSearchEngineOptions } from "./node-search-engine-options.js";
import { orAborted } from "./or-aborted.js";
import type { SearchPool } from "./search-pool.js";
import type { SharedFileIndex } from "./shared-file-index.js";

/** The second thread starts after this much time without a search, which it would slow down. */
const IDLE_MS = 40;

/** Starts the threads of an engine on demand: small searches never load them. */
export class LazySearchPool {
  private pool: SearchPool | undefined;
  private opening: Promise<void> | undefined;
  private filling: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(
    private readonly options: NodeSearchEngineOptions,
    private readonly openIndex: () => SharedFileIndex | undefined,
  ) {}

  get isFull(): boolean {
    return this.pool?.isFull ?? false;
  }

  /** Calls `begin` with the pool once its first thread runs: at once if it is open. */
  help(begin: (pool: SearchPool | undefined) => void): void {
    const start = () => {
      this.pool?.start(1);
      begin(this.pool);
    };
    if (this.pool) start();
    else void this.open().then(start);
  }

  /** Starts all threads, one after the other, so that at most one core is busy. Returns whether all run. */
  async openAll(signal: AbortSignal): Promise<boolean> {
    await this.open();
    await orAborted(this.pool?.whenReady(1) ?? Promise.resolve(), signal);
    await orAborted(this.pool?.whenReady(2) ?? Promise.resolve(), signal);
    return this.isFull;
  }

  /** Starts all threads and keeps the process alive until they are ready. */
  async warm(): Promise<void> {
    await this.open();
    await this.pool?.whenFull();
  }

  /** Resolves when no thread works on a search. */
  async whenIdle(): Promise<void> {
    await this.pool?.whenIdle();
  }

  /** Starts the second thread unless a search comes first. */
  fillLater(): void {
    const { pool } = this;
    if (!pool || pool.isFull || this.isDisposed) return;
    this.filling = setTimeout(() => pool.start(2), IDLE_MS).unref();
  }

  /** Cancels `fillLater`. */
  keepBack(): void {
    clearTimeout(this.filling);
  }

  async dispose(): Promise<void> {
    this.isDisposed = true;
    this.keepBack();
    await this.opening;
    await this.pool?.dispose();
  }

  private open(): Promise<void> {
    // Threads are optional: a program bundled into one CommonJS file cannot name their entry file.
    this.opening ??= this.makePool().catch(() => undefined);
    return this.opening;
  }

  private async makePool(): Promise<void> {
    const { root, guard, threads } = this.options;
    const setup = threads?.();
    if (!setup || (guard && !setup.guard)) return;
    const { SearchPool } = await import("./search-pool.js");
    if (this.isDisposed) return;
    this.pool = new SearchPool(setup.entry, { root, guard: setup.guard, index: this.openIndex() });
  }
}
