import type { ChangeSummary } from "@haft/core";
import type { NodeRuntime } from "@haft/runtime-node";

type Journal = Pick<NodeRuntime, "changes" | "undo">;
type ChangeRecord = Awaited<ReturnType<Journal["changes"]>>[number];

/** Returns the calls of a session that can be undone, newest first. */
export async function undoableCalls(journal: Journal, runId: string): Promise<readonly ChangeRecord[]> {
  const records = await journal.changes();
  return records
    .filter(
      ({ callId, state, undoes }) =>
        callId.startsWith(`${runId}:`) && state === "done" && undoes === undefined,
    )
    .reverse();
}

/** Returns the ids of the calls that were undone. */
export async function undoneCalls(journal: Journal): Promise<ReadonlySet<string>> {
  const records = await journal.changes();
  return new Set(records.filter(({ state }) => state === "undone").map(({ callId }) => callId));
}

/** Undoes a session, newest call first. Throws at the first call that cannot be undone. */
export async function* undoRun(
  journal: Journal,
  runId: string,
  { most = Number.POSITIVE_INFINITY }: { readonly most?: number } = {},
): AsyncGenerator<readonly ChangeSummary[]> {
  for (const { callId } of (await undoableCalls(journal, runId)).slice(0, most))
    yield await journal.undo(callId);
}
