import type { JournalLine, JournalRecord } from "@haft/core/journal";
import { firstToKeep } from "./keep-newest.js";
import type { WorkspaceState } from "./workspace-state.js";

export interface JournalLimits {
  /**
   * Limit for former content. One call counts for at most `1 / minCalls` of it, so that a huge one does not push out
   * the others.
   */
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  /**
   * How many of the newest calls to keep regardless of their size; undone ones do not count. Default 10, at least 1.
   */
  readonly minCalls?: number | undefined;
}

export const DEFAULT_JOURNAL_LIMITS: JournalLimits = {
  maxBytes: 1024 ** 3,
  maxAgeMs: 7 * 24 * 60 * 60 * 1000,
};

/** Deletes the oldest changes if there are too many or they are too old. Requires the workspace lock. */
export async function pruneJournal(state: WorkspaceState, limits: JournalLimits): Promise<void> {
  const records = state.journal.records();
  const kept = recordsToKeep(records, limits);
  if (kept.length === records.length) return;
  await state.journal.replace(kept.flatMap(linesOf));
  const changes = kept.flatMap((record) => record.changes);
  await state.trash.keepOnly(new Set(changes.map(({ trash }) => trash ?? "")));
  state.blobs.keepOnly(new Set(changes.map(({ beforeBlob }) => beforeBlob ?? "")));
}

/** Returns whether pruning has anything to do. Does not need the lock. */
export function needsPruning(records: readonly JournalRecord[], limits: JournalLimits): boolean {
  return recordsToKeep(records, limits).length < records.length;
}

function recordsToKeep(records: readonly JournalRecord[], limits: JournalLimits): readonly JournalRecord[] {
  const { minCalls = DEFAULT_MIN_CALLS, ...others } = limits;
  const entries = records.map(({ at, storedBytes, state, undoes }) => ({
    atMs: Date.parse(at),
    bytes: storedBytes,
    counts: state === "done" && undoes === undefined,
  }));
  return records.slice(firstToKeep(entries, { ...others, minCount: minCalls }));
}

const DEFAULT_MIN_CALLS = 10;

function linesOf({
  state,
  owner,
  storedBytes,
  appliedCount: _,
  ...record
}: JournalRecord): readonly JournalLine[] {
  const { seq } = record;
  const begin: JournalLine = { type: "begin", ...record, ...owner };
  if (state === "unfinished") return [begin];
  if (state === "aborted") return [begin, { type: "aborted", seq, reason: "" }];
  const done: JournalLine = { type: "done", seq, storedBytes };
  return state === "done" ? [begin, done] : [begin, done, { type: "undone", seq, by: 0 }];
}
