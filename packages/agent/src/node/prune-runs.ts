import { type Stats, statSync, unlinkSync } from "node:fs";
import { firstToKeep, type KeepLimits } from "@haft/runtime-node/state";
import type { RunState } from "../state/run-state.js";
import { journalsIn, lockOf, readRun } from "./run-journal-file.js";
import { takeWriterLock } from "./writer-lock.js";

export const DEFAULT_RUN_LIMITS: KeepLimits = {
  maxBytes: 256 * 1024 ** 2,
  maxAgeMs: 30 * 24 * 60 * 60 * 1000,
  minCount: 10,
  maxCount: 200,
};

/**
 * Deletes the oldest runs when there are too many or they are too old. Keeps runs that are running, waiting for
 * approval or unreadable. Never throws; failed deletions are retried next time.
 */
export function pruneRuns(directory: string, limits: KeepLimits = DEFAULT_RUN_LIMITS): void {
  const files = journalsIn(directory)
    .flatMap(withStats)
    .sort((one, other) => one.atMs - other.atMs);
  for (const { path } of files.slice(0, firstToKeep(files, limits))) remove(path);
}

interface JournalFile {
  readonly path: string;
  /** The last modification time. */
  readonly atMs: number;
  readonly bytes: number;
}

function withStats(path: string): readonly JournalFile[] {
  const stats = ignoreErrors((): Stats => statSync(path));
  return stats === undefined ? [] : [{ path, atMs: stats.mtimeMs, bytes: stats.size }];
}

function remove(path: string): void {
  ignoreErrors(() => {
    const release = takeWriterLock(lockOf(path));
    try {
      // Checked under the lock, so that there is no writer.
      if (isRemovable(path)) unlinkSync(path);
    } finally {
      release();
    }
  });
}

/** An empty journal never started. A damaged one, or one of an unknown version, may matter to another process. */
function isRemovable(path: string): boolean {
  if (statSync(path).size === 0) return true;
  const [run] = readRun(path);
  return run !== undefined && !isWaiting(run.state);
}

function isWaiting({ status, calls }: RunState): boolean {
  return status === "waiting" || calls.some((call) => call.status === "awaiting");
}

function ignoreErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    // It was deleted meanwhile or is in use.
    return undefined;
  }
}
