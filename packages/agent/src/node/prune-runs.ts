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
 * Forgets the oldest runs in a directory when there are too many or they are too old. One that somebody drives, that waits
 * for a person, or that cannot be read stays. Never throws: what cannot be removed now is tried again at the next time.
 */
export function pruneRuns(directory: string, limits: KeepLimits = DEFAULT_RUN_LIMITS): void {
  const files = journalsIn(directory)
    .flatMap(withStats)
    .sort((one, other) => one.atMs - other.atMs);
  for (const { path } of files.slice(0, firstToKeep(files, limits))) remove(path);
}

interface JournalFile {
  readonly path: string;
  /** When it was written last. */
  readonly atMs: number;
  readonly bytes: number;
}

function withStats(path: string): readonly JournalFile[] {
  const stats = unlessFailing((): Stats => statSync(path));
  return stats === undefined ? [] : [{ path, atMs: stats.mtimeMs, bytes: stats.size }];
}

function remove(path: string): void {
  unlessFailing(() => {
    const release = takeWriterLock(lockOf(path));
    try {
      // Looked at only now, when nobody writes to it.
      if (mayGo(path)) unlinkSync(path);
    } finally {
      release();
    }
  });
}

/** An empty one never began; one that is damaged, or of a version not known here, may wait for somebody else. */
function mayGo(path: string): boolean {
  if (statSync(path).size === 0) return true;
  const [run] = readRun(path);
  return run !== undefined && !waits(run.state);
}

function waits({ status, calls }: RunState): boolean {
  return status === "waiting" || calls.some((call) => call.status === "awaiting");
}

function unlessFailing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    // It has gone meanwhile, or is driven by somebody: both are none of ours.
    return undefined;
  }
}
