import type { BigIntStats } from "node:fs";
import { statVersion } from "./content-hash.js";
import type { HashStarts } from "./started-hash.js";

/**
 * What files were found to hold that were read whole, for as long as the system says that nothing has
 * happened to them. A call reads, rehearses and verifies the same file; it need not read and hash it
 * each time. The bytes are only borrowed from whoever uses them anyway.
 */
export class KnownContents {
  readonly #known = new Map<string, Known>();

  /** What a file holds, its state asked for right now. */
  get(stats: BigIntStats): KnownContent | undefined {
    const known = this.#known.get(statVersion(stats));
    return known === undefined ? undefined : { ...known, bytes: known.bytes?.deref() };
  }

  /**
   * `stats` as they were before the first byte was read. A file that was written to a moment before is
   * not remembered: until the clock of the file system has moved on, another write would not show.
   */
  learn(stats: BigIntStats, { hash, bytes, starts }: KnownContent): void {
    if (BigInt(Date.now()) - stats.ctimeMs < SETTLED_MS) return;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(statVersion(stats), { hash, starts, bytes: bytes && new WeakRef(bytes) });
  }
}

export interface KnownContent {
  readonly hash: string;
  /** Never to be written to. */
  readonly bytes?: Uint8Array | undefined;
  /** How it hashes from its beginning on. */
  readonly starts?: HashStarts | undefined;
}

interface Known {
  readonly hash: string;
  readonly starts: HashStarts | undefined;
  readonly bytes: WeakRef<Uint8Array> | undefined;
}

// Several ticks of the slowest clock that Linux stamps files by.
const SETTLED_MS = 50n;
const MAX_KNOWN = 1_000;
