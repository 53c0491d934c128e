import { randomUUID } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import {
  type CallHint,
  type CallStore,
  CallTable,
  callStoreOver,
  hintsOf,
  READING_OPERATIONS,
  type TableOperation,
  type TableSnapshot,
} from "@haft/core/calls";
import { makeFolder } from "../journal/make-folder.js";
import { stateError } from "../journal/state-error.js";
import { type LoggedOperation, OperationLog } from "./operation-log.js";

interface FileCallStoreOptions {
  readonly directory: string;
  /** The size at which the log restarts from a snapshot. Default: 16 MB. */
  readonly maxBytes?: number;
}

/**
 * Stores calls and leases for the processes of one machine, in a folder on a local disk. Every process applies the
 * same log of operations to its own table.
 */
export class FileCallStore {
  readonly calls: CallStore;
  readonly #directory: string;
  readonly #log: OperationLog;
  readonly #outcomes = new Map<string, Waiting>();
  readonly #listeners = new Set<(hint: CallHint) => void>();
  #table = new CallTable();
  #queued: LoggedOperation[] = [];
  #writing: Promise<void> | undefined;
  #watcher: FSWatcher | undefined;
  #isClosed = false;

  constructor({ directory, maxBytes }: FileCallStoreOptions) {
    this.#directory = directory;
    this.#log = new OperationLog({
      directory,
      ...(maxBytes !== undefined && { maxBytes }),
      onSnapshot: (state) => {
        this.#table = new CallTable(state as TableSnapshot | undefined);
      },
      onOperation: (operation) => this.#apply(operation),
      snapshot: () => this.#table.snapshot(),
    });
    this.calls = callStoreOver(
      (name, input) => this.#run(name, input),
      (listener) => this.#watch(listener),
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watcher?.close();
    await this.#writing;
    this.#log.close();
  }

  async #run(name: TableOperation, input: object): Promise<unknown> {
    if (this.#isClosed) throw new Error("the store is closed");
    if (READING_OPERATIONS.has(name)) {
      this.#catchUp();
      return structuredClone(this.#table[name](input as never, Date.now()));
    }
    const isDurable = !VOLATILE.has(name);
    // Copied now: the caller may change its object before the log is written.
    const copy = JSON.parse(JSON.stringify(input)) as object;
    const operation: LoggedOperation = { id: randomUUID(), name, input: copy, atMs: Date.now(), isDurable };
    return new Promise((resolve, reject) => {
      this.#outcomes.set(operation.id, { resolve, reject });
      this.#queued.push(operation);
      this.#writing ??= this.#writeAll().finally(() => {
        this.#writing = undefined;
      });
    });
  }

  /** Writes all queued operations at once; those that arrive meanwhile share the next write. */
  async #writeAll(): Promise<void> {
    await Promise.resolve();
    while (this.#queued.length > 0) {
      const batch = this.#queued.splice(0, MAX_BATCH);
      const { done, cause } = await this.#log.append(batch);
      for (const { id } of batch) {
        const waiting = this.#outcomes.get(id);
        this.#outcomes.delete(id);
        if (cause !== undefined && !done.has(id))
          waiting?.reject(stateError(cause, "The operation could not be stored"));
        else if (waiting?.outcome !== undefined && "thrown" in waiting.outcome)
          waiting.reject(waiting.outcome.thrown);
        else waiting?.resolve(waiting.outcome?.value);
      }
    }
  }

  #apply({ id, name, input, atMs }: LoggedOperation): void {
    const waiting = this.#outcomes.get(id);
    try {
      const value = this.#table[name as TableOperation](input as never, atMs);
      if (waiting !== undefined) waiting.outcome = { value: structuredClone(value) };
    } catch (thrown) {
      // Rejected; every process applies the same rule.
      if (waiting !== undefined) waiting.outcome = { thrown };
      return;
    }
    for (const hint of hintsOf(name as TableOperation, input))
      for (const listener of [...this.#listeners]) listener(hint);
  }

  #watch(listener: (hint: CallHint) => void): () => void {
    const own = (hint: CallHint) => listener(hint);
    this.#listeners.add(own);
    this.#watcher ??= this.#watchFolder();
    return () => this.#listeners.delete(own);
  }

  #watchFolder(): FSWatcher | undefined {
    try {
      makeFolder(this.#directory);
      const watcher = watch(this.#directory, { persistent: false }, () => {
        // Operations of this process are applied when they are written.
        if (!this.#isClosed && this.#writing === undefined) this.#tryCatchUp();
      });
      watcher.on("error", () => watcher.close());
      return watcher;
    } catch {
      // The system has no watches left; callers poll.
      return undefined;
    }
  }

  #tryCatchUp(): void {
    try {
      this.#log.catchUp();
    } catch {
      // The next operation reports the error.
    }
  }

  #catchUp(): void {
    try {
      this.#log.catchUp();
    } catch (cause) {
      throw stateError(cause, "The calls could not be read");
    }
  }
}

interface Waiting {
  resolve(value: unknown): void;
  reject(cause: unknown): void;
  outcome?: { readonly value: unknown } | { readonly thrown: unknown };
}

/** Operations that need not survive a power cut: a claim is repeated, a lease expires. */
const VOLATILE: ReadonlySet<TableOperation> = new Set(["lease", "claim", "publish", "release"]);
const MAX_BATCH = 200;
