import type { CallRecord, CallStore, WorkspaceFacts } from "@haft/core/calls";
import { ClaimedCalls } from "./claimed-calls.js";
import { DecidedCalls } from "./decided-calls.js";
import { type HeldWorkspace, HeldWorkspaces } from "./held-workspaces.js";
import type { ServeOptions } from "./serve-workspaces.js";
import { SessionRuntimes } from "./session-runtimes.js";
import { type WorkspacePlace, workspacePlaces } from "./workspace-places.js";

type WorkerParts = ServeOptions &
  Required<Pick<ServeOptions, "workerId" | "tenant" | "layout" | "slots" | "leaseMs" | "pollMs">>;

/** The timers of a worker: renews leases, looks for work, and handles cancellations and decided approvals. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #calls: CallStore;
  readonly #held = new HeldWorkspaces();
  readonly #runtimes: SessionRuntimes;
  readonly #claimed: ClaimedCalls;
  readonly #decided: DecidedCalls;
  #facts: WorkspaceFacts | undefined;
  #beating: Promise<void> | undefined;
  #pumping: Promise<void> | undefined;
  #pumpTimer: NodeJS.Timeout | undefined;
  #isHinted = false;
  #isReviewDue = false;
  #isDraining = false;
  readonly #stops: (() => void)[] = [];

  constructor(parts: WorkerParts) {
    const { root, store, tenant, layout, workerId, slots, leaseMs, pollMs, onError, ...options } = parts;
    this.#parts = parts;
    this.#calls = store.calls;
    this.#runtimes = new SessionRuntimes(store, options);
    this.#decided = new DecidedCalls({ store, workerId, onError: (error) => this.#report(error) });
    this.#claimed = new ClaimedCalls({
      store,
      runtimes: this.#runtimes,
      held: this.#held,
      onFree: () => this.#pumpAfterCall(),
      onError: (error) => this.#report(error),
    });
  }

  async start(): Promise<void> {
    await this.#beat();
    const { leaseMs, pollMs } = this.#parts;
    const every = (ms: number, work: () => void) => {
      const timer = setInterval(work, ms);
      this.#stops.push(() => clearInterval(timer));
    };
    every(leaseMs / 3, () => void this.#tryBeat());
    every(pollMs, () => {
      this.#isReviewDue = true;
      this.#pump();
      void this.#seeToDuties();
      void this.#seekWorkspaces();
    });
    this.#stops.push(
      this.#calls.watch(({ topic }) => {
        if (topic === "queue") this.#pump();
        if (topic === "cancel") void this.#seeToDuties();
      }),
    );
    this.#pump();
  }

  async drain(): Promise<void> {
    this.#isDraining = true;
    await this.#pumping;
    await this.#beating;
    await this.#releaseIdle();
    // Renews the other leases until the last call is settled.
    await this.#claimed.idle();
    for (const stop of this.#stops) stop();
    clearTimeout(this.#pumpTimer);
    await this.#beating;
    await this.#decided.idle();
    await this.#calls.release({ worker: this.#parts.workerId }).catch((error) => this.#report(error));
    await this.#runtimes.close();
  }

  /** Gives workspaces without running calls away at once. */
  async #releaseIdle(): Promise<void> {
    const idle = this.#held.places().filter((place) => !this.#claimed.runsIn(place));
    if (idle.length === 0) return;
    for (const place of idle) this.#held.drop(place);
    const keys = idle.map(({ tenant, workspace }) => ({ tenant, workspace }));
    const release = { worker: this.#parts.workerId, workspaces: keys };
    await this.#calls.release(release).catch((error) => this.#report(error));
  }

  /** Another worker may have ended, so its workspaces should not wait for the next renewal of leases. */
  async #seekWorkspaces(): Promise<void> {
    try {
      if (this.#wanted().length > this.#held.size) await this.#tryBeat();
    } catch (error) {
      // The root cannot be read.
      this.#report(error);
    }
  }

  async #tryBeat(): Promise<void> {
    this.#beating ??= this.#beat()
      .catch((error) => this.#report(error))
      .finally(() => {
        this.#beating = undefined;
      });
    await this.#beating;
    // Leases must not wait for it: many calls may be waiting for approval.
    void this.#decided.review();
  }

  async #beat(): Promise<void> {
    const { workerId, leaseMs } = this.#parts;
    const places = this.#wanted();
    const request = { worker: workerId, workspaces: places, ttlMs: leaseMs };
    const leases = await this.#calls.lease(request);
    const taken = this.#held.update(leases, places);
    for (const held of taken) await this.#publish(held);
    if (taken.length > 0) this.#pump();
  }

  /** A draining worker takes no new workspaces. */
  #wanted(): readonly WorkspacePlace[] {
    return this.#isDraining ? this.#held.places() : workspacePlaces(this.#parts);
  }

  async #publish({ place, epoch }: HeldWorkspace): Promise<void> {
    this.#facts ??= await this.#runtimes.facts(place);
    const { tenant, workspace, folder } = place;
    await this.#calls.publish({ tenant, workspace, epoch, facts: { ...this.#facts, root: folder } });
  }

  /** Claims while there are free slots and calls. One claim at a time, so that calls start in order. */
  #pump(): void {
    this.#isHinted = true;
    this.#pumping ??= this.#claimAll()
      .catch((error) => this.#report(error))
      .finally(() => {
        this.#pumping = undefined;
      });
  }

  /** Immediately if calls are known to wait, otherwise after a moment, in case a hint was lost. */
  #pumpAfterCall(): void {
    if (this.#isHinted) this.#pump();
    else
      this.#pumpTimer ??= setTimeout(() => {
        this.#pumpTimer = undefined;
        this.#pump();
      }, AFTER_CALL_MS);
  }

  async #claimAll(): Promise<void> {
    const { workerId, slots } = this.#parts;
    for (;;) {
      // Calls are settled together: all their slots are free in the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      const limit = slots - this.#claimed.size;
      if (this.#isDraining || !this.#isHinted || limit <= 0 || this.#held.size === 0) return;
      this.#isHinted = false;
      clearTimeout(this.#pumpTimer);
      this.#pumpTimer = undefined;
      // Once per poll: a claim may have succeeded although its answer was lost.
      const review = this.#isReviewDue ? { known: this.#claimed.keys() } : {};
      this.#isReviewDue = false;
      const calls: readonly CallRecord[] = await this.#calls.claim({ worker: workerId, limit, ...review });
      for (const call of calls) this.#claimed.run(call);
      if (calls.length >= limit) this.#isHinted = true;
    }
  }

  async #seeToDuties(): Promise<void> {
    if (this.#claimed.size === 0) return;
    try {
      const { cancelled } = await this.#calls.duties({ worker: this.#parts.workerId });
      for (const key of cancelled) this.#claimed.cancel(key);
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    this.#parts.onError?.(error);
  }
}

const AFTER_CALL_MS = 20;
