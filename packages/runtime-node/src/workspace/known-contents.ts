import type { BigIntStats } from "node:fs";
import { statVersion } from "./content-hash.js";
import type { HashStarts } from "./started-hash.js";

/**
 * What files were found to hold that were read whole, for as long as the system says that nothing has
 * happened to them. A call reads, rehearses and verifies the same file; it need not read and hash it
 * each time. The bytes of the last one are held for the moment of a call and then let go: not by a WeakRef, which
 * makes garbage of this size wait for a full collection.
 */
export class KnownContents {
  readonly #known = new Map<string, Known>();
  #held: { readonly version: string; readonly bytes: Uint8Array } | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** What a file holds, its state asked for right now. */
  get(stats: BigIntStats): KnownContent | undefined {
    const version = statVersion(stats);
    const known = this.#known.get(version);
    if (known === undefined) return undefined;
    return { ...known, bytes: this.#held?.version === version ? this.#held.bytes : undefined };
  }

  /**
   * `stats` as they were before the first byte was read. A file that was written to a moment before is
   * not remembered: until the clock of the file system has moved on, another write would not show.
   */
  learn(stats: BigIntStats, { hash, bytes, starts }: KnownContent): void {
    if (BigInt(Date.now()) - stats.ctimeMs < SETTLED_MS) return;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    const version = statVersion(stats);
    this.#known.set(version, { hash, starts });
    if (bytes !== undefined) this.#hold(version, bytes);
  }

  /** What was read is not needed any more. */
  letGo(): void {
    this.#held = undefined;
  }

  #hold(version: string, bytes: Uint8Array): void {
    this.#held = { version, bytes };
    // For whoever reads and changes nothing.
    this.#timer = this.#timer?.refresh() ?? setTimeout(() => this.letGo(), HELD_MS).unref();
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
}

// Several ticks of the slowest clock that Linux stamps files by.
const SETTLED_MS = 50n;
const MAX_KNOWN = 1_000;
// Longer than a rehearsal takes between reading a file and changing it.
const HELD_MS = 250;
