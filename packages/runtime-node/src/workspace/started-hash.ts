import { createHash, type Hash } from "node:crypto";

/**
 * A SHA-256 that saves its state now and then. Most edits leave the start of a file unchanged, so the new content is
 * hashed from the last saved state on.
 */
export class StartedHash {
  readonly #hash = createHash("sha256");
  readonly #stepBytes: number;
  readonly #starts: HashStart[] = [];
  #length = 0;

  /** Takes the approximate size of the content. */
  constructor(size: number) {
    this.#stepBytes = Math.max(MIN_STEP_BYTES, Math.ceil(size / MAX_STARTS));
  }

  update(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const room = this.#stepBytes - (this.#length % this.#stepBytes);
      const piece = bytes.subarray(from, from + room);
      this.#hash.update(piece);
      this.#length += piece.length;
      from += piece.length;
      if (piece.length === room) this.#starts.push({ length: this.#length, hash: this.#hash.copy() });
    }
  }

  /** Returns the digest in hex, and the states from which later content with the same beginning can continue. */
  finish(): { readonly digest: string; readonly starts: HashStarts } {
    return { digest: this.#hash.digest("hex"), starts: this.#starts };
  }
}

/** Hash states after the first bytes of some content, shortest first. */
export type HashStarts = readonly HashStart[];

interface HashStart {
  readonly length: number;
  readonly hash: Hash;
}

/** Stores the hash states of these bytes, which must not change. */
export function rememberStarts(bytes: Uint8Array, starts: HashStarts): void {
  if (starts.length > 0 && bytes.byteOffset === 0) known.set(bytes.buffer, starts);
}

/** Returns the digest of content in parts. The first may be the beginning of bytes with known hash states. */
export function digestOfParts(parts: readonly Uint8Array[]): string {
  const [first = new Uint8Array(0), ...others] = parts;
  const starts = first.byteOffset === 0 ? known.get(first.buffer) : undefined;
  const start = starts?.findLast(({ length }) => length <= first.length);
  const hash = start?.hash.copy() ?? createHash("sha256");
  hash.update(first.subarray(start?.length ?? 0));
  for (const part of others) hash.update(part);
  return hash.digest("hex");
}

const known = new WeakMap<ArrayBufferLike, HashStarts>();
const MIN_STEP_BYTES = 256 * 1024;
const MAX_STARTS = 32;
