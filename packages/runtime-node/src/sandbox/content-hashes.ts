import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { errnoOf } from "../workspace/system-error.js";
import { OPEN_FILE } from "./view-entry.js";

/** Hashes each file once, so that many files can be compared with many others. */
export class ContentHashes {
  readonly #known = new Map<string, string | undefined>();
  readonly #buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  #left: number;

  /** Reads at most so many bytes in total. */
  constructor(mostBytes: number) {
    this.#left = mostBytes;
  }

  /** Returns whether both files have the same content. False if one cannot be read, or the limit is reached. */
  areEqual(one: string, other: string): boolean {
    const hash = this.#of(one);
    return hash !== undefined && hash === this.#of(other);
  }

  #of(path: string): string | undefined {
    if (!this.#known.has(path)) this.#known.set(path, this.#hashed(path));
    return this.#known.get(path);
  }

  #hashed(path: string): string | undefined {
    try {
      return this.#read(path);
    } catch (error) {
      // Code can take away the right to read what it wrote.
      if (errnoOf(error) === undefined) throw error;
      return undefined;
    }
  }

  #read(path: string): string | undefined {
    const hash = createHash("sha256");
    const file = openSync(path, OPEN_FILE);
    try {
      for (;;) {
        const count = readSync(file, this.#buffer, 0, CHUNK_BYTES, null);
        if (count === 0) return hash.digest("base64");
        this.#left -= count;
        if (this.#left < 0) return undefined;
        hash.update(this.#buffer.subarray(0, count));
      }
    } finally {
      closeSync(file);
    }
  }
}

const CHUNK_BYTES = 64 * 1024;
