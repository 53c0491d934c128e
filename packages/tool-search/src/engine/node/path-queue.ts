// Cells of the shared memory, then a length per slot, then the slots.
const CELL = { gate: 0, stop: 1, ended: 2, pushed: 3, taken: 4, signal: 5, done: 6 } as const;
const CELLS = 8;
const SLOTS = 256;
const SLOT_BYTES = 32_768;
const FIRST_SLOT = (CELLS + SLOTS) * 4;
/** A UTF-16 unit takes at most three bytes of UTF-8. */
const MAX_UNITS = Math.floor(SLOT_BYTES / 3);

// The gate contains the search's id and, in its last bits, the number of helpers that joined.
const GATE_BITS = 4;
const CLOSED = 0xf;

/** Long enough that an idle thread costs nothing; recovers from a missed wake-up. */
const WAIT_MS = 100;

/** Allocates the memory of a queue. Pages that are never written use no memory. */
export function sharePathQueue(): SharedArrayBuffer {
  return new SharedArrayBuffer(FIRST_SLOT + SLOTS * SLOT_BYTES);
}

/**
 * Carries the paths of one search from the walking thread to the searching threads, through shared memory: one walk
 * feeds all, and any free thread takes the next chunk. One thread leads: it alone opens, pushes and closes.
 */
export class PathQueue {
  private readonly cells: Int32Array;
  private readonly bytes: Buffer;

  constructor(memory: SharedArrayBuffer) {
    this.cells = new Int32Array(memory, 0, CELLS + SLOTS);
    this.bytes = Buffer.from(memory, FIRST_SLOT);
  }

  /** Starts a search. Call it only after every helper of the last one has answered. */
  open(id: number): void {
    this.cells.fill(0);
    Atomics.store(this.cells, CELL.gate, id << GATE_BITS);
  }

  /** Adds a chunk of paths if there is room for it now. */
  push(paths: readonly string[]): "pushed" | "full" | "too long" {
    const text = paths.join("\0");
    const pushed = Atomics.load(this.cells, CELL.pushed);
    const slot = pushed % SLOTS;
    if (text.length > MAX_UNITS) return "too long";
    if (Atomics.load(this.cells, CELLS + slot) !== 0) return "full";
    const length = this.bytes.write(text, slot * SLOT_BYTES, SLOT_BYTES, "utf8");
    Atomics.store(this.cells, CELLS + slot, length);
    Atomics.store(this.cells, CELL.pushed, pushed + 1);
    this.wake();
    return "pushed";
  }

  /** Takes a chunk that no other thread gets; undefined if there is none. */
  take(): string[] | undefined {
    for (;;) {
      const taken = Atomics.load(this.cells, CELL.taken);
      if (taken >= Atomics.load(this.cells, CELL.pushed)) return undefined;
      if (Atomics.compareExchange(this.cells, CELL.taken, taken, taken + 1) !== taken) continue;
      const slot = taken % SLOTS;
      const at = slot * SLOT_BYTES;
      const text = this.bytes.toString("utf8", at, at + Atomics.load(this.cells, CELLS + slot));
      Atomics.store(this.cells, CELLS + slot, 0);
      return text.split("\0");
    }
  }

  /**
   * Waits for a chunk; undefined after the last. Blocks its thread, so only helpers may call it. With a `turn`, 0 or
   * 1, two helpers alternate; each calls `done` after its chunk.
   */
  takeOrWait(turn?: number): string[] | undefined {
    for (;;) {
      const signal = Atomics.load(this.cells, CELL.signal);
      const hasEnded = Atomics.load(this.cells, CELL.ended) !== 0;
      if (this.isStopped) return undefined;
      const paths = this.isTurnOf(turn) ? this.take() : undefined;
      if (paths || (hasEnded && this.waiting === 0)) return paths;
      Atomics.wait(this.cells, CELL.signal, signal, WAIT_MS);
    }
  }

  /** Gives the other helper its turn. */
  done(): void {
    Atomics.add(this.cells, CELL.done, 1);
    this.wake();
  }

  /** The number of chunks not taken yet. */
  get waiting(): number {
    return Atomics.load(this.cells, CELL.pushed) - Atomics.load(this.cells, CELL.taken);
  }

  /** Marks the end: no chunk follows. */
  end(): void {
    Atomics.store(this.cells, CELL.ended, 1);
    this.wake();
  }

  /** Makes every thread of the search stop. */
  stop(): void {
    Atomics.store(this.cells, CELL.stop, 1);
    this.wake();
  }

  get isStopped(): boolean {
    return Atomics.load(this.cells, CELL.stop) !== 0;
  }

  /** Makes the calling thread a helper of the search. Returns false if it is over or another has begun. */
  join(id: number): boolean {
    for (;;) {
      const gate = Atomics.load(this.cells, CELL.gate);
      if (gate >> GATE_BITS !== id || (gate & CLOSED) === CLOSED) return false;
      if (Atomics.compareExchange(this.cells, CELL.gate, gate, gate + 1) === gate) return true;
    }
  }

  /** Admits no more helpers and returns how many there are: each of them will answer. */
  close(): number {
    const gate = Atomics.load(this.cells, CELL.gate);
    return Atomics.exchange(this.cells, CELL.gate, gate | CLOSED) & CLOSED;
  }

  private isTurnOf(turn: number | undefined): boolean {
    if (turn === undefined) return true;
    const taken = Atomics.load(this.cells, CELL.taken);
    return taken % 2 === turn && Atomics.load(this.cells, CELL.done) === taken;
  }

  private wake(): void {
    Atomics.add(this.cells, CELL.signal, 1);
    Atomics.notify(this.cells, CELL.signal);
  }
}
