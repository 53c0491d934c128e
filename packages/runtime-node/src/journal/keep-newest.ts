/** One thing that is kept for a while. */
export interface KeptEntry {
  readonly atMs: number;
  readonly bytes: number;
  /** Whether it is one of those that `minCount` is about; default true. */
  readonly counts?: boolean;
}

export interface KeepLimits {
  /** One entry counts for `1 / minCount` of it at most, so that a huge one does not push out the others. */
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  /** How many of the newest are kept whatever their size; at least 1. */
  readonly minCount: number;
  /** How many there may be at all. */
  readonly maxCount?: number;
}

/** Of entries, oldest first, the index of the first that stays: the oldest go, and only as many as must. */
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
