import type { CallRecord } from "./call-record.js";
import type { ClaimRef, Lease } from "./call-store.js";
import type { SimulatedWorld } from "./simulated-world.fixture.js";
import type { TableOperation } from "./table-operation.js";

const SLOTS = 16;
const LEASE_MS = 15_000;
const POLL_MS = 1_000;
const STATEMENT_MS = 5_000;

type Operation = readonly [name: TableOperation, input: object];

/** A worker that can be killed, cut off and restarted, with a clock that runs fast or slow. */
export class SimulatedWorker {
  readonly #world: SimulatedWorld;
  readonly #name: string;
  readonly #workspaces: Lease[];
  readonly #skew: number;
  #incarnation = 0;
  #cutOffUntilMs = 0;
  #running = new Map<string, CallRecord>();
  #isClaiming = false;

  constructor(world: SimulatedWorld, name: string, keys: readonly { tenant: string; workspace: string }[]) {
    this.#world = world;
    this.#name = name;
    this.#workspaces = keys.map((key) => ({ ...key, epoch: 0, isNew: false }));
    this.#skew = 0.7 + world.random() * 0.6;
  }

  start(): void {
    this.#incarnation += 1;
    this.#running = new Map();
    this.#isClaiming = false;
    const life = this.#incarnation;
    this.#every(LEASE_MS / 3, life, () => this.#beat(life));
    this.#every(POLL_MS, life, () => this.#pump(life));
  }

  /** Cancels everything that this incarnation planned. */
  kill(): void {
    this.#incarnation += 1;
  }

  /** Effects continue while the store is unreachable. */
  cutOff(forMs: number): void {
    this.#cutOffUntilMs = this.#world.clock.nowMs + forMs;
  }

  #every(ms: number, life: number, work: () => void): void {
    if (life !== this.#incarnation) return;
    work();
    this.#world.clock.after(ms * this.#skew, () => this.#every(ms, life, work));
  }

  #beat(life: number): void {
    const request = { worker: this.#id(life), workspaces: this.#workspaces, ttlMs: LEASE_MS };
    this.#ask(life, ["lease", request]);
    this.#ask<{ awaiting: { tenant: string; approvalId: string }[] }>(
      life,
      ["duties", { worker: this.#id(life) }],
      ({ awaiting }) => {
        for (const { tenant, approvalId } of awaiting)
          if (this.#world.decided.has(approvalId)) this.#ask(life, ["resume", { tenant, approvalId }]);
      },
    );
  }

  /** One claim at a time; a claim without an answer is abandoned after a while. */
  #pump(life: number): void {
    const limit = SLOTS - this.#running.size;
    if (limit <= 0 || this.#isClaiming) return;
    this.#isClaiming = true;
    const known = [...this.#running.values()].map(({ tenant, callId }) => ({ tenant, callId }));
    const claim = { worker: this.#id(life), limit, known };
    this.#askWithin<readonly CallRecord[]>(life, ["claim", claim], (calls = []) => {
      this.#isClaiming = false;
      for (const call of calls) {
        this.#running.set(call.callId, call);
        this.#prepare(life, call);
      }
    });
  }

  #prepare(life: number, call: CallRecord): void {
    const ref = refOf(call);
    const { needsApproval, isRepeatable } = call.args as { needsApproval: boolean; isRepeatable: boolean };
    const isApproved = call.approvalId !== undefined && this.#world.decided.has(call.approvalId);
    if (needsApproval && !isApproved) {
      const approvalId = `approval of ${call.callId}`;
      this.#askPerson(call.tenant, approvalId);
      this.#retry(life, ["awaitApproval", { ...ref, approvalId }], () => this.#done(call));
      return;
    }
    this.#askWithin<boolean>(life, ["started", { ...ref, isRepeatable }], (mayStart) => {
      if (mayStart === true) this.#run(life, call, isRepeatable);
      else
        this.#retry(life, ["settle", { ...ref, settlement: { outcome: "error" } }], () => this.#done(call));
    });
  }

  /** A started effect happens whether or not the store is reachable: that is what makes zombies dangerous. */
  #run(life: number, call: CallRecord, isRepeatable: boolean): void {
    const { clock } = this.#world;
    clock.after(this.#world.between(1, 3_000), () => {
      if (life !== this.#incarnation) return;
      this.#world.effect(call.callId, isRepeatable);
      clock.after(this.#world.between(1, 500), () => {
        const settlement = { outcome: "ok" as const };
        this.#retry(life, ["settle", { ...refOf(call), settlement }], () => this.#done(call));
      });
    });
  }

  #askPerson(tenant: string, approvalId: string): void {
    const { clock } = this.#world;
    clock.after(this.#world.between(100, 60_000), () => {
      this.#world.decided.add(approvalId);
      // One decider in ten dies before the call is back in the queue.
      if (this.#world.random() > 0.1) this.#world.operate("resume", { tenant, approvalId });
    });
  }

  #done({ callId }: CallRecord): void {
    this.#running.delete(callId);
  }

  /** Behaves like a statement with a time limit: undefined if no answer came. */
  #askWithin<T>(life: number, operation: Operation, answer: (output: T | undefined) => void): void {
    let isOver = false;
    const once = (output: T | undefined) => {
      if (isOver || life !== this.#incarnation) return;
      isOver = true;
      answer(output);
    };
    this.#ask<T>(life, operation, once);
    this.#world.clock.after(STATEMENT_MS, () => once(undefined));
  }

  #ask<T>(life: number, [name, input]: Operation, answer?: (output: T) => void): void {
    const { clock } = this.#world;
    if (life !== this.#incarnation || clock.nowMs < this.#cutOffUntilMs) return;
    this.#world.operate<T>(name, input, (output) => {
      // The answer is lost in a partition that began meanwhile.
      if (life === this.#incarnation && clock.nowMs >= this.#cutOffUntilMs) answer?.(output);
    });
  }

  /** Repeats a request until it is answered. */
  #retry(life: number, operation: Operation, done: () => void): void {
    let isDone = false;
    const attempt = () => {
      if (isDone || life !== this.#incarnation) return;
      this.#ask(life, operation, () => {
        if (isDone) return;
        isDone = true;
        done();
      });
      this.#world.clock.after(2_000, attempt);
    };
    attempt();
  }

  #id(life: number): string {
    return `${this.#name}.${life}`;
  }
}

function refOf({ tenant, callId, worker = "", epoch = 0 }: CallRecord): ClaimRef {
  return { tenant, callId, worker, epoch };
}
