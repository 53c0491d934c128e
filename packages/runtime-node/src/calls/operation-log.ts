import { fdatasync } from "node:fs";
import { promisify } from "node:util";
import { parseObject } from "../journal/parse-object.js";
import { LogSegment } from "./log-segment.js";

export interface LoggedOperation {
  /** Unique across all processes. */
  readonly id: string;
  readonly name: string;
  readonly input: object;
  readonly atMs: number;
  /** Whether it must survive a power cut before anyone acts on it. */
  readonly isDurable: boolean;
}

interface OperationLogOptions {
  readonly directory: string;
  /** A segment beyond this size is closed, and the next one starts with a snapshot. Default: 16 MB. */
  readonly maxBytes?: number;
  /** Restores this state, or an empty one for undefined. */
  onSnapshot(state: unknown): void;
  /** Called for every operation of every process, in log order. Must not throw. */
  onOperation(operation: LoggedOperation): void;
  /** Returns the state after all operations so far. */
  snapshot(): object;
}

/**
 * Gives the operations of all processes of one machine one order. Appending to a file is the only shared step. There
 * is no lock, so a process that is stopped or killed blocks no other.
 */
export class OperationLog {
  readonly #options: OperationLogOptions;
  #segment: LogSegment | undefined;
  /** The segment being written. It stays open until the write ends, even if another process seals it. */
  #written: LogSegment | undefined;
  #applied = new Set<string>();
  #awaited = new Set<string>();

  constructor(options: OperationLogOptions) {
    this.#options = options;
  }

  /** Applies operations appended by other processes. */
  catchUp(): void {
    while (this.#applyNew()) {
      const { directory, snapshot } = this.#options;
      const sealed = this.#segment as LogSegment;
      sealed.startNext(directory, JSON.stringify({ snapshot: snapshot() }));
      this.#segment = undefined;
      if (sealed !== this.#written) sealed.close();
    }
  }

  /**
   * Appends operations and applies the log up to them. Never rejects: returns the ids that were logged, and the
   * reason for the others.
   */
  async append(
    operations: readonly LoggedOperation[],
  ): Promise<{ done: ReadonlySet<string>; cause?: unknown }> {
    this.#awaited = new Set(operations.map(({ id }) => id));
    this.#applied = new Set();
    let cause: unknown;
    try {
      for (let open = operations; open.length > 0; open = open.filter(({ id }) => !this.#applied.has(id)))
        // Retry when another process sealed the segment first: records after a seal do not count.
        await this.#appendOnce(open);
    } catch (thrown) {
      cause = thrown;
      this.#tryCatchUp();
    }
    return { done: this.#applied, ...(cause !== undefined && { cause }) };
  }

  close(): void {
    this.#segment?.close();
    this.#segment = undefined;
  }

  async #appendOnce(operations: readonly LoggedOperation[]): Promise<void> {
    const segment = this.#open();
    this.#written = segment;
    try {
      segment.append(operations.map((operation) => JSON.stringify(operation)));
      if (operations.some(({ isDurable }) => isDurable)) await promisify(fdatasync)(segment.fd);
    } finally {
      this.#written = undefined;
      if (this.#segment !== segment) segment.close();
    }
    this.catchUp();
    const { maxBytes = MAX_BYTES } = this.#options;
    if (this.#segment === segment && segment.size > maxBytes) {
      segment.append([SEAL]);
      this.catchUp();
    }
  }

  /** Ignores read errors: the log may be unreadable too, and the first failure is the one to report. */
  #tryCatchUp(): void {
    try {
      this.catchUp();
    } catch {
      // Operations that could not be read back count as not written.
    }
  }

  /** Returns true if it reached a seal. */
  #applyNew(): boolean {
    for (const line of this.#open().readLines()) {
      const record = parseObject(line);
      if (record === undefined) continue;
      if ("seal" in record) return true;
      if ("snapshot" in record) this.#options.onSnapshot(record.snapshot);
      else if ("id" in record) {
        const operation = record as unknown as LoggedOperation;
        this.#options.onOperation(operation);
        if (this.#awaited.has(operation.id)) this.#applied.add(operation.id);
      }
    }
    return false;
  }

  #open(): LogSegment {
    if (this.#segment !== undefined) return this.#segment;
    this.#options.onSnapshot(undefined);
    this.#segment = LogSegment.openNewest(this.#options.directory);
    return this.#segment;
  }
}

const MAX_BYTES = 16 * 1024 * 1024;
const SEAL = JSON.stringify({ seal: true });
