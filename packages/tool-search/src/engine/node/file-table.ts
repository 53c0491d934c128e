import { PathHash } from "./path-hash.js";
import { COUNTER, SLOTS, TABLE } from "./shared-file-index.js";

const MAX_SLOTS = SLOTS * 0.75;
const MAX_PROBES = 64;

/** The table from paths to records in the memory of an index. Each slot has a hash and the place of a record. */
export class FileTable {
  private readonly hash = new PathHash();

  constructor(private readonly words: Int32Array) {}

  /**
   * Returns the slot of a path, allocating one if needed; -1 without room. Two paths with the same hash take turns,
   * since the record of one does not match the other's file.
   */
  find(path: string): number {
    const hash = this.hash.of(path);
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const at = TABLE + ((hash + probe) & (SLOTS - 1)) * 2;
      const known = Atomics.load(this.words, at) || this.claim(at, hash);
      if (known === hash) return at;
      if (known === 0) return -1;
    }
    return -1;
  }

  // Returns the hash, unless another thread wrote its own in between; 0 if there is no space.
  private claim(at: number, hash: number): number {
    if (Atomics.load(this.words, COUNTER.slots) >= MAX_SLOTS) {
      Atomics.add(this.words, COUNTER.refused, 1);
      return 0;
    }
    const known = Atomics.compareExchange(this.words, at, 0, hash);
    if (known !== 0) return known;
    Atomics.add(this.words, COUNTER.slots, 1);
    return hash;
  }
}
