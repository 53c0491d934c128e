import { token } from "../service/token.js";
import { within } from "./call-deadline.js";

/** Work in another thread, such as parsing a file that may be hostile. */
export interface LimitedWork<T> {
  readonly result: Promise<T>;
  /** Stops the work and frees its memory. Called in every case. */
  end(): Promise<unknown>;
}

export interface WorkLimits {
  readonly signal: AbortSignal;
  readonly maxMs: number;
  readonly maxBytes: number;
  /** Such as Node's `process.memoryUsage`: memory of the whole process, and the caller's share of it. */
  memoryUsage(): { readonly rss: number; readonly heapTotal: number; readonly external: number };
  /** Builds the error for an exceeded limit, which is named as in "5 s" or "the memory limit". */
  exceeded(limit: string): Error;
}

/**
 * The heap limits of a thread that a `WorkLimiter` watches. V8 ends the whole process if a thread outgrows its heap
 * limit by more than 16 MB at once, as one growing array can. The limit is therefore far beyond what the watch allows.
 */
export const WATCHED_HEAP = { maxOldGenerationSizeMb: 2_000, maxYoungGenerationSizeMb: 32 } as const;

/**
 * Ends work in other threads that exceeds its limits. A process can only measure its memory as a whole, so all work
 * that one limiter watches shares a baseline and an allowance. A host therefore registers one limiter for its whole
 * process.
 */
export class WorkLimiter {
  readonly #running = new Set<Watched>();

  /** Settles as the work does, or rejects once it has exceeded a limit. The work has ended when this returns. */
  async run<T>(work: LimitedWork<T>, limits: WorkLimits): Promise<T> {
    const exceeding = new AbortController();
    const stop = (limit: string) => exceeding.abort(limits.exceeded(limit));
    const late = () => stop(`${limits.maxMs / 1000} s`);
    // A caller that was busy itself first sees what arrived meanwhile: timers come before messages.
    let timer = setTimeout(() => {
      timer = setTimeout(late, 1);
    }, limits.maxMs);
    const release = this.#watchMemory(limits, () => stop("the memory limit"));
    try {
      return await within(limits.signal, () => within(exceeding.signal, () => work.result));
    } finally {
      clearTimeout(timer);
      await work.end();
      release();
    }
  }

  #watchMemory({ memoryUsage, maxBytes }: WorkLimits, stop: () => void): () => void {
    const used = () => {
      const { rss, heapTotal, external } = memoryUsage();
      return rss - heapTotal - external;
    };
    const [first] = this.#running;
    const watched = { baseBytes: first?.baseBytes ?? used(), maxBytes };
    this.#running.add(watched);
    const timer = setInterval(() => {
      let allowed = 0;
      for (const { maxBytes } of this.#running) allowed += maxBytes;
      if (used() - watched.baseBytes > allowed) stop();
    }, WATCH_MS);
    return () => {
      clearInterval(timer);
      this.#running.delete(watched);
    };
  }
}

/** The limiter of a runtime whose host registers none watches the work of this runtime alone. */
export const WORK_LIMITER = token("work-limiter", () => new WorkLimiter());

interface Watched {
  readonly baseBytes: number;
  readonly maxBytes: number;
}

const WATCH_MS = 20;
