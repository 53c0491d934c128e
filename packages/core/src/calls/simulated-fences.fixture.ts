import type { CallRecord } from "./call-record.js";
import type { ClaimRef, Lease, LeaseRequest } from "./call-store.js";

interface Holder {
  readonly worker: string;
  readonly epoch: number;
  readonly expiresAtMs: number;
}

/** Works out from the answers who holds each workspace, and reports every answer that contradicts this. */
export class SimulatedFences {
  readonly #holders = new Map<string, Holder>();
  readonly #places = new Map<string, string>();
  readonly #started = new Set<string>();
  readonly #cancelled = new Set<string>();
  readonly #settled = new Set<string>();

  /** A workspace has one holder at a time, and its epoch rises when the holder changes. */
  leased({ worker, ttlMs }: LeaseRequest, leases: readonly Lease[], nowMs: number): readonly string[] {
    return leases.flatMap(({ workspace, epoch, isNew }) => {
      const before = this.#holders.get(workspace);
      this.#holders.set(workspace, { worker, epoch, expiresAtMs: nowMs + ttlMs });
      if (before === undefined) return [];
      const hasChanged = before.worker !== worker;
      if (hasChanged !== isNew) return [`${workspace} is new to ${worker}: ${isNew}`];
      if (!hasChanged)
        return before.epoch === epoch ? [] : [`the epoch of ${workspace} rose under its holder`];
      if (before.expiresAtMs >= nowMs) return [`${worker} took ${workspace} from ${before.worker}`];
      return epoch > before.epoch ? [] : [`the epoch of ${workspace} did not rise`];
    });
  }

  /** Only the holder claims, under the current epoch. */
  claimed({ callId, workspace, worker, epoch }: CallRecord, claimer: string): readonly string[] {
    this.#places.set(callId, workspace);
    const holder = this.#holders.get(workspace);
    const isRight = worker === claimer && holder?.worker === claimer && holder.epoch === epoch;
    return isRight ? [] : [`${callId} was claimed by ${claimer} under epoch ${epoch}`];
  }

  cancelled(call: CallRecord | undefined): void {
    if (call?.cancelledBy !== undefined) this.#cancelled.add(call.callId);
  }

  /** Only the holder starts, suspends and settles, under the current epoch; and a call settles once. */
  reported(what: string, { callId, worker, epoch }: ClaimRef, isAccepted: boolean): readonly string[] {
    if (!isAccepted) return [];
    const holder = this.#holders.get(this.#places.get(callId) ?? "");
    if (holder?.worker !== worker || holder.epoch !== epoch)
      return [`${what} of ${callId} was accepted from ${worker} under epoch ${epoch}`];
    if (this.#settled.has(callId)) return [`${what} of ${callId} was accepted after its settlement`];
    if (what === "started" && this.#cancelled.has(callId))
      return [`${callId} was started after it was cancelled`];
    if (what === "started" && this.#started.has(`${callId} ${epoch}`))
      return [`${callId} was started twice under epoch ${epoch}`];
    if (what === "started") this.#started.add(`${callId} ${epoch}`);
    if (what === "settle") this.#settled.add(callId);
    return [];
  }
}
