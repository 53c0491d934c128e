import { renameSync, writeFileSync } from "node:fs";
import type { JournalRecord } from "./change-journal.js";
import type { JournalLine } from "./change-record.js";
import type { WorkspaceState } from "./workspace-state.js";

export interface JournalLimits {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
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
  const oldest = Date.now() - limits.maxAgeMs;
  let bytes = 0;
  const isKept = (record: JournalRecord) => {
    bytes += record.storedBytes;
    return bytes <= limits.maxBytes && Date.parse(record.at) >= oldest;
  };
  const firstDropped = records.findLastIndex((record) => !isKept(record));
  return records.slice(firstDropped + 1);
}

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
