import type { UndoPreview } from "@haft/core";
import type { ChangeRecord } from "@haft/core/journal";
import { since } from "../parts/duration.js";
import { parseDiff } from "../parts/parse-diff.js";
import { get, post } from "../state/api.js";

/** A file of one workspace. */
interface Place {
  readonly path: string;
  /** Returns the address of a request about it. */
  place(request: string): string;
}

/** Returns the run of a call. Calls of runs are named `runId:step:index`. */
export function runOf(callId: string): string | undefined {
  return /^([\w-]+):\d+:\d+$/.exec(callId)?.[1];
}

/** Returns who wrote the content with this hash: a call, or a program outside Haft. */
export async function authorOf(file: Place, hash: string): Promise<string | undefined> {
  const records = await get<readonly ChangeRecord[]>(file.place("changes")).catch(() => undefined);
  if (records === undefined) return undefined;
  const record = records.findLast(({ changes }) =>
    changes.some(({ path, afterHash }) => path === file.path && afterHash === hash),
  );
  return record === undefined ? "outside Haft" : `by ${record.tool}, ${since(record.at)}`;
}

/** Returns the lines of a file that calls of the last day wrote, as an undo of those calls would remove them. */
export async function linesOfRuns(file: Place): Promise<readonly number[]> {
  const records = await get<readonly ChangeRecord[]>(file.place("changes"));
  const sinceAt = new Date(Date.now() - A_DAY_MS).toISOString();
  const callIds = records
    .filter(({ state, undoes, at }) => state === "done" && undoes === undefined && at >= sinceAt)
    .filter(({ callId, changes }) => runOf(callId) !== undefined && changes.length <= MAX_CHANGES)
    .filter(({ changes }) => changes.some(({ path }) => path === file.path))
    .map(({ callId }) => callId);
  if (callIds.length === 0) return [];
  const { changes } = await post<UndoPreview>(file.place("undopreview"), { callIds });
  const diff = changes.find(({ path, from }) => path === file.path || from === file.path)?.diff ?? "";
  return parseDiff(diff).flatMap(({ kind, before }) =>
    kind === "del" && before !== undefined ? [before] : [],
  );
}

const A_DAY_MS = 24 * 60 * 60 * 1000;
/** Undoing a call that changed more files than this is not rehearsed to mark the lines of one file. */
const MAX_CHANGES = 50;
