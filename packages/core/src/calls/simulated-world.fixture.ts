import type { CallRecord, CallSettlement } from "./call-record.js";
import type { ClaimRef, Lease, LeaseRequest } from "./call-store.js";
import { CallTable } from "./call-table.js";
import { SimulatedFences } from "./simulated-fences.fixture.js";
import type { TableOperation } from "./table-operation.js";
import { seededRandom, VirtualClock } from "./virtual-clock.fixture.js";

/** The shared state of a simulation: the table, the clock, randomness, and the invariants. */
export class SimulatedWorld {
  readonly clock = new VirtualClock();
  readonly random: () => number;
  readonly violations: string[] = [];
  readonly decided = new Set<string>();
  readonly #table = new CallTable();
  readonly #effects = new Map<string, number>();
  readonly #settled = new Map<string, string>();
  readonly #fences = new SimulatedFences();
  readonly #maxRunning: number;
  /** When the database is slow. */
  #slowUntilMs = 0;

  constructor(seed: number, maxRunning: number) {
    this.random = seededRandom(seed);
    this.#maxRunning = maxRunning;
  }

  get settledCalls(): number {
    return this.#settled.size;
  }

  effectsOf(callId: string): number {
    return this.#effects.get(callId) ?? 0;
  }

  /** An operation as a process sees it: it happens after some time, and its answer arrives later, or never. */
  operate<T>(name: TableOperation, input: object, answer: (output: T) => void = () => {}): void {
    // Some requests arrive a second time, whose answer nobody hears.
    if (this.random() < 0.01) this.clock.after(this.between(20, 60_000), () => this.apply(name, input));
    this.clock.after(this.#latency(), () => {
      const output = this.apply<T>(name, input);
      this.clock.after(this.#latency(), () => answer(output));
    });
  }

  apply<T>(name: TableOperation, input: object): T {
    const output = this.#table[name](input as never, this.clock.nowMs) as T;
    this.#check(name, input, output);
    return output;
  }

  slowDown(forMs: number): void {
    this.#slowUntilMs = this.clock.nowMs + forMs;
  }

  effect(callId: string, isRepeatable: boolean): void {
    this.#effects.set(callId, this.effectsOf(callId) + 1);
    if (this.effectsOf(callId) > 1 && !isRepeatable) this.violations.push(`${callId} had its effect twice`);
  }

  /** How a call was settled, as first seen. */
  noteSettlement(callId: string, settlement: CallSettlement): void {
    const text = JSON.stringify(settlement);
    const before = this.#settled.get(callId);
    if (before !== undefined && before !== text) this.violations.push(`${callId} was settled twice`);
    this.#settled.set(callId, text);
  }

  between(low: number, high: number): number {
    return low + Math.floor(this.random() * (high - low));
  }

  #latency(): number {
    return this.clock.nowMs < this.#slowUntilMs ? this.between(500, 4_000) : this.between(1, 20);
  }

  /** Checked after every step that claims, starts, settles or leases. */
  #check(name: TableOperation, input: object, output: unknown): void {
    const { nowMs } = this.clock;
    if (name === "lease")
      this.violations.push(...this.#fences.leased(input as LeaseRequest, output as readonly Lease[], nowMs));
    if (name === "cancel") this.#fences.cancelled(output as CallRecord | undefined);
    if (name === "started" || name === "settle" || name === "awaitApproval")
      this.violations.push(...this.#fences.reported(name, input as ClaimRef, output === true));
    if (name !== "claim") return;
    for (const call of output as readonly CallRecord[]) {
      this.violations.push(...this.#fences.claimed(call, (input as { worker: string }).worker));
      const [tenant] = this.#table.overview({ tenant: call.tenant }, nowMs).tenants;
      const active = (tenant?.calls.preparing ?? 0) + (tenant?.calls.running ?? 0);
      if (active > this.#maxRunning) this.violations.push(`${call.tenant} runs ${active} calls`);
    }
  }
}
