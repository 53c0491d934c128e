import type { BigIntStats } from "node:fs";
import { statVersion } from "./content-hash.js";
import type { HashStarts } from "./started-hash.js";

/**
 * Caches the content of files that were read whole, as long as their stats show no change. A call reads, rehearses
 * and verifies the same file, and need not read and hash it each time. The bytes of the last file are held briefly
 * and then released. A WeakRef would make garbage of this size wait for a full collection.
 */
export class KnownContents {
  readonly #known = new Map<string, Known>();
  #held: { readonly version: string; readonly bytes: Uint8Array } | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Returns what is cached for a file, given stats taken just now. */
  get(stats: BigIntStats): KnownContent | undefined {
    const version = statVersion(stats);
    const known = this.#known.get(version);
    if (known === undefined) return undefined;
    return { ...known, bytes: this.#held?.version === version ? this.#held.bytes : undefined };
  }

  /**
   * Takes the stats from before the first byte was read. Skips a file written a moment ago: until the file system's
   * clock has advanced, another write would not show.
   */
  learn(stats: BigIntStats, { hash, bytes, starts }: KnownContent): void {
    if (BigInt(Date.now()) - stats.ctimeMs < SETTLED_MS) return;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    const version = statVersion(stats);
    this.#known.set(version, { hash, starts });
    if (bytes !== undefined) this.#hold(version, bytes);
  }

  /** Releases the cached bytes. */
  release(): void {
    this.#held = undefined;
  }

  #hold(version: string, bytes: Uint8Array): void {
    this.#held = { version, bytes };
    // For callers that read without changing anything.
    this.#timer = this.#timer?.refresh() ?? setTimeout(() => this.release(), HELD_MS).unref();
  }
}

export interface KnownContent {
  readonly hash: string;
  /** Must not be modified. */
  readonly bytes?: Uint8Array | undefined;
  /** Its hash states. */
  readonly starts?: HashStarts | undefined;
}

interface Known {
  readonly hash: string;
  readonly starts: HashStarts | undefined;
}

// Several ticks of the slowest clock for Linux timestamps.
const SETTLED_MS = 50n;
const MAX_KNOWN = 1_000;
// Longer than a rehearsal takes between reading and changing a file.
const HELD_MS = 250;
