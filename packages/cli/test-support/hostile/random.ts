/** A pseudo-random generator that repeats its sequence for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns an integer from 0 to `below` - 1. */
  integer(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.integer(from.length)] as T;
  }

  /** Concatenates up to `most` parts. */
  text(parts: readonly string[], most: number): string {
    return Array.from({ length: this.integer(most) + 1 }, () => this.pick(parts)).join("");
  }

  /** Returns a copy with some bytes changed, sometimes truncated. */
  damaged(bytes: Buffer): Buffer {
    const copy = Buffer.from(bytes);
    for (let count = this.integer(12); count >= 0; count -= 1)
      copy[this.integer(copy.length)] = this.integer(256);
    return this.integer(4) === 0 ? copy.subarray(0, this.integer(copy.length)) : copy;
  }
}
