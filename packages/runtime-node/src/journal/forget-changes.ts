import type { CommitParts } from "../workspace/commit-parts.js";
import { pruneJournal } from "./prune-journal.js";
import { recoverCommits } from "./recover-commits.js";

/** What was forgotten. */
export interface ForgottenChanges {
  readonly calls: number;
  /** What the former content took, about. */
  readonly bytes: number;
}

/** Forgets every call that was made, and lets go of all that was kept to undo it: content, and what was deleted. */
export async function forgetChanges(parts: CommitParts): Promise<ForgottenChanges> {
  const { state } = parts;
  if (!state.exists) return { calls: 0, bytes: 0 };
  return state.alone(async () => {
    await recoverCommits(parts);
    const records = state.journal.records();
    await pruneJournal(state, NOTHING_STAYS);
    return { calls: records.length, bytes: records.reduce((sum, { storedBytes }) => sum + storedBytes, 0) };
  });
}

const NOTHING_STAYS = { maxBytes: 0, maxAgeMs: Number.NEGATIVE_INFINITY };
