export interface KeptEntry {
  readonly atMs: number;
  readonly bytes: number;
  /** Whether it counts towards `minCount`. Default true. */
  readonly counts?: boolean;
}

export interface KeepLimits {
  /** One entry counts for at most `1 / minCount` of it, so that a huge one does not push out the others. */
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  /** How many of the newest to keep regardless of their size; at least 1. */
  readonly minCount: number;
  /** How many may stay in total. */
  readonly maxCount?: number;
}

/**
 * Returns the index of the first entry to keep, for entries sorted oldest first. Drops the oldest, and only as many
 * as necessary.
 */
export function firstToKeep(entries: readonly KeptEntry[], limits: KeepLimits): number {
  const minCount = Math.max(1, limits.minCount);
  const oldest = Date.now() - limits.maxAgeMs;
  let bytes = 0;
  let count = 0;
  const isKept = (entry: KeptEntry) => {
    if (entry.atMs < oldest) return false;
    const isAmongNewest = count < minCount;
    if (entry.counts !== false) count += 1;
    bytes += Math.min(entry.bytes, limits.maxBytes / minCount);
    return isAmongNewest || (bytes < limits.maxBytes && count <= (limits.maxCount ?? count));
  };
  return entries.findLastIndex((entry) => !isKept(entry)) + 1;
}
