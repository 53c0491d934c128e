interface Waiting<In, Out> {
  readonly item: In;
  resolve(output: Out): void;
  reject(cause: unknown): void;
}

export interface BatchOptions<In> {
  /** The size that an item adds to a batch, in bytes. Default: none. */
  sizeOf?(item: In): number;
  /** Returns whether a batch failed because of its content; then each item is retried alone. Default: never. */
  isRefusal?(cause: unknown): boolean;
  /** Returns whether no caller waits for an item: it joins the next batch, or forms one of its own after a moment. */
  isPatient?(item: In): boolean;
}

/**
 * Processes items in batches: items that arrive during one batch form the next. Keeps the order, except that other
 * items may overtake patient ones.
 */
export class Batcher<In, Out> {
  readonly #work: (items: readonly In[]) => Promise<readonly Out[]>;
  readonly #options: BatchOptions<In>;
  #waiting: Waiting<In, Out>[] = [];
  #patient: Waiting<In, Out>[] = [];
  #patience: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(work: (items: readonly In[]) => Promise<readonly Out[]>, options: BatchOptions<In> = {}) {
    this.#work = work;
    this.#options = options;
  }

  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      if (this.#options.isPatient?.(item) === true) {
        this.#patient.push(waiting);
        this.#patience ??= setTimeout(() => this.#startAll(), PATIENCE_MS);
      } else {
        this.#waiting.push(waiting);
        this.#start();
      }
    });
  }

  /** Resolves when everything added so far is done. */
  async idle(): Promise<void> {
    this.#startAll();
    await this.#running;
  }

  #startAll(): void {
    this.#admitPatient();
    this.#start();
  }

  #admitPatient(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#waiting.push(...this.#patient.splice(0));
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // Items added in the same turn belong to the first batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      this.#admitPatient();
      await this.#do(this.#waiting.splice(0, this.#fitting()));
    }
    this.#running = undefined;
  }

  async #do(batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outputs = await this.#work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Out);
    } catch (cause) {
      if (batch.length > 1 && this.#options.isRefusal?.(cause) === true)
        for (const each of batch) await this.#do([each]);
      else for (const { reject } of batch) reject(cause);
    }
  }

  /** Returns how many waiting items form a batch: at least one. */
  #fitting(): number {
    const { sizeOf = () => 0 } = this.#options;
    let bytes = 0;
    const beyond = this.#waiting.findIndex(({ item }, nth) => {
      bytes += sizeOf(item);
      return nth > 0 && (nth === MAX_BATCH || bytes > MAX_BYTES);
    });
    return beyond === -1 ? this.#waiting.length : beyond;
  }
}

/** Not all at once: while the server works on one batch, this process prepares the next. */
const MAX_BATCH = 32;
/** Short enough that a record is stored before anyone looks for it. */
const PATIENCE_MS = 10;
const MAX_BYTES = 4 * 1024 * 1024;
