import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";

/** The hash that results and stale checks speak of: short enough for a model to carry along. */
export function contentHash(bytes: Uint8Array): string {
  return shortHash(contentDigest(bytes));
}

/** The same from the whole digest. */
export function shortHash(digest: string): string {
  return digest.slice(0, HASH_CHARS);
}

/** The whole of it, for what must not be forged. */
export function contentDigest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** For files too large to be read whole each time: any write to them changes it. */
export function statHash(stats: BigIntStats): string {
  return `stat-${createHash("sha256").update(statVersion(stats)).digest("hex").slice(0, HASH_CHARS)}`;
}

/** The same for our own use: which file, and as of when. */
export function statVersion({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** Hashed when it changed hands, not content: above this a content hash costs more than it tells. */
export const MAX_HASHED_BYTES = 64 * 1024 * 1024;

const HASH_CHARS = 16;
