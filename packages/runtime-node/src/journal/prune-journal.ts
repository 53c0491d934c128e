import { renameSync, writeFileSync } from "node:fs";
import type { JournalRecord } from "./change-journal.js";
import type { JournalLine } from "./change-record.js";
import { firstToKeep } from "./keep-newest.js";
import type { WorkspaceState } from "./workspace-state.js";

export interface JournalLimits {
  /** Of former content. One call counts for `1 / minCalls` of it at most, so that a huge one does not push out the others. */
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  /** How many of the newest calls that were not undone are kept whatever their size; default 10, at least 1. */
  readonly minCalls?: number | undefined;
}

export const DEFAULT_JOURNAL_LIMITS: JournalLimits = {
  maxBytes: 1024 ** 3,
  maxAgeMs: 7 * 24 * 60 * 60 * 1000,
};

/** Forgets the oldest changes when there are too many or they are too old. To be called alone. */
export async function pruneJournal(state: WorkspaceState, limits: JournalLimits): Promise<void> {
  const records = state.journal.records();
  const kept = recordsToKeep(records, limits);
  if (kept.length === records.length) return;
  const fresh = `${state.journalPath}.new`;
  writeFileSync(fresh, kept.flatMap(linesOf).map(toText).join(""), { mode: 0o600, flush: true });
  renameSync(fresh, state.journalPath);
  state.journal.refresh();
  const changes = kept.flatMap((record) => record.changes);
  await state.trash.keepOnly(new Set(changes.map(({ trash }) => trash ?? "")));
  state.blobs.keepOnly(new Set(changes.map(({ beforeBlob }) => beforeBlob ?? "")));
}

/** Whether pruning has anything to do; the journal can be asked without the lock. */
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

function toText(line: JournalLine): string {
  return `${JSON.stringify(line)}\n`;
}
