import type { CallRecord, CallStore } from "@haft/core/calls";

export interface CallListener {
  onChange(call: CallRecord): void;
  /** The store no longer has the call: it was pruned, or lost with the server. */
  onGone(): void;
}

interface Waiting extends CallListener {
  version: number;
}

/** Reports changes of calls: at once if the store sends a hint, otherwise at the next poll. */
export class CallWaiter {
  readonly #store: CallStore;
  readonly #tenant: string;
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #wanted = new Set<string>();
  /** Calls that are being submitted, and whether a change was reported since. */
  readonly #expected = new Map<string, boolean>();
  readonly #unwatch: () => void;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;

  constructor(store: CallStore, tenant: string, pollMs: number) {
    this.#store = store;
    this.#tenant = tenant;
    this.#unwatch = store.watch(({ topic, callIds }) => {
      if (topic !== "call") return;
      for (const callId of callIds ?? this.#expected.keys())
        if (this.#expected.has(callId)) this.#expected.set(callId, true);
      this.#look(callIds ?? this.#waiting.keys());
    });
    this.#timer = setInterval(() => this.#look(this.#waiting.keys()), pollMs);
    this.#timer.unref();
  }

  /** Watches a call that is about to be submitted, so that `follow` knows whether it has changed since. */
  expect(callId: string): void {
    if (!this.#expected.has(callId)) this.#expected.set(callId, false);
  }

  /** Stops watching a call that was not submitted. */
  unexpect(callId: string): void {
    this.#expected.delete(callId);
  }

  /** Calls back with every later version of a call. Returns a function that stops it. */
  follow(call: CallRecord, listener: CallListener): () => void {
    const waiting: Waiting = { ...listener, version: call.version };
    const { callId } = call;
    const others = this.#waiting.get(callId) ?? new Set<Waiting>();
    this.#waiting.set(callId, others.add(waiting));
    const mayHaveChanged = this.#expected.get(callId) !== false;
    this.#expected.delete(callId);
    if (mayHaveChanged) this.#look([callId]);
    return () => {
      others.delete(waiting);
      if (others.size === 0 && this.#waiting.get(callId) === others) this.#waiting.delete(callId);
    };
  }

  close(): void {
    this.#unwatch();
    clearInterval(this.#timer);
    this.#waiting.clear();
  }

  #look(callIds: Iterable<string>): void {
    for (const callId of callIds) if (this.#waiting.has(callId)) this.#wanted.add(callId);
    if (this.#wanted.size === 0) return;
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = undefined;
    });
  }

  async #lookAll(): Promise<void> {
    // Reads requested in the same turn share a query.
    await Promise.resolve();
    while (this.#wanted.size > 0) {
      const callIds = [...this.#wanted].slice(0, MAX_TOGETHER);
      for (const callId of callIds) this.#wanted.delete(callId);
      try {
        const found = await this.#store.find({ tenant: this.#tenant, callIds });
        for (const call of found) this.#tell(call);
        const known = new Set(found.map(({ callId }) => callId));
        for (const callId of callIds) if (!known.has(callId)) this.#reportGone(callId);
      } catch {
        // The store is unavailable: the next poll asks again.
        return;
      }
    }
  }

  #reportGone(callId: string): void {
    for (const { onGone } of [...(this.#waiting.get(callId) ?? [])]) onGone();
  }

  #tell(call: CallRecord): void {
    for (const waiting of [...(this.#waiting.get(call.callId) ?? [])]) {
      if (call.version <= waiting.version) continue;
      waiting.version = call.version;
      waiting.onChange(call);
    }
  }
}

const MAX_TOGETHER = 500;
