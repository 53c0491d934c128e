import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";

/** Returns the short hash used in results and stale checks, which a model can repeat cheaply. */
export function contentHash(bytes: Uint8Array): string {
  return shortHash(contentDigest(bytes));
}

/** Returns the short hash for a full digest. */
export function shortHash(digest: string): string {
  return digest.slice(0, HASH_CHARS);
}

/** Returns the full digest, for uses that must resist forgery. */
export function contentDigest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Identifies the version of a file too large to hash each time. Every write changes it. */
export function statHash(stats: BigIntStats): string {
  return `stat-${createHash("sha256").update(statVersion(stats)).digest("hex").slice(0, HASH_CHARS)}`;
}

/** Returns the version for internal use: which file, and its state. */
export function statVersion({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** Above this size a content hash costs too much; `statHash` is used instead. */
export const MAX_HASHED_BYTES = 64 * 1024 * 1024;

const HASH_CHARS = 16;
