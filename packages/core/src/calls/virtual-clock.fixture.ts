/** Events in the order of a virtual time. Simultaneous events keep the order in which they were planned. */
export class VirtualClock {
  nowMs = 0;
  readonly #heap: { readonly atMs: number; readonly nth: number; run(): void }[] = [];
  #count = 0;

  after(delayMs: number, run: () => void): void {
    this.#count += 1;
    this.#heap.push({ atMs: this.nowMs + delayMs, nth: this.#count, run });
    this.#rise(this.#heap.length - 1);
  }

  /** Runs the next event. Returns false if there is none. */
  step(): boolean {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (first === undefined || last === undefined) return false;
    if (last !== first) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    this.nowMs = first.atMs;
    first.run();
    return true;
  }

  #rise(index: number): void {
    const parent = (index - 1) >> 1;
    if (index === 0 || !this.#isBefore(index, parent)) return;
    this.#swap(index, parent);
    this.#rise(parent);
  }

  #sink(index: number): void {
    const [left, right] = [2 * index + 1, 2 * index + 2];
    let least = index;
    if (left < this.#heap.length && this.#isBefore(left, least)) least = left;
    if (right < this.#heap.length && this.#isBefore(right, least)) least = right;
    if (least === index) return;
    this.#swap(index, least);
    this.#sink(least);
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined) return false;
    return one.atMs < other.atMs || (one.atMs === other.atMs && one.nth < other.nth);
  }

  #swap(a: number, b: number): void {
    [this.#heap[a], this.#heap[b]] = [this.#heap[b] as never, this.#heap[a] as never];
  }
}

/** Returns numbers from 0 to 1 that depend only on the seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
