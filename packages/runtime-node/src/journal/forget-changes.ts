import type { ForgottenChanges } from "@haft/core/journal";
import type { CommitParts } from "../workspace/commit-parts.js";
import { pruneJournal } from "./prune-journal.js";
import { recoverCommits } from "./recover-commits.js";

/** Deletes the record of every call and all data for undoing it: former content and deleted entries. */
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
