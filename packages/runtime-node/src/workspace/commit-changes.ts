import { randomBytes } from "node:crypto";
import { ToolError } from "@haft/core";
import { type CommitCall, type FileChange, Pace, pathsOf } from "@haft/core/workspace";
import { ownIdentity } from "../journal/process-identity.js";
import { recoverCommits } from "../journal/recover-commits.js";
import { applyChange } from "./apply-change.js";
import type { CommitParts } from "./commit-parts.js";
import { type KeptChange, keepFormer } from "./keep-former.js";
import { recordCommit } from "./record-commit.js";
import { revertChanges } from "./revert-change.js";
import { stageFiles, unstage } from "./stage-files.js";
import { errnoOf } from "./system-error.js";
import { VerifiedPaths } from "./verified-paths.js";

/** Set when the commit undoes an earlier one. */
export interface NodeCommitCall extends CommitCall {
  /** The id of the call to undo. */
  readonly undoes?: string | undefined;
}

/**
 * Applies changes in order, all or nothing. This is the only place where bytes reach the disk, under one lock for all
 * processes. Before the first change, every path is verified against the rehearsal, former content is saved, the
 * intent is journalled, and all new content is on disk.
 */
export async function commitChanges(
  parts: CommitParts,
  changes: readonly FileChange[],
  call: NodeCommitCall,
): Promise<void> {
  if (changes.length === 0 && call.undoes === undefined) return;
  assertAllowed(parts, changes);
  await parts.state.alone(async () => {
    await recoverCommits(parts);
    assertNew(parts, call);
    const verified = await VerifiedPaths.of(parts.jail, changes);
    await call.beforeFirstEffect?.();
    const commit = await begin(parts, { changes, verified }, call);
    try {
      await applyAll(parts, { commit, verified });
    } catch (thrown) {
      await rollBack(parts, commit, thrown);
      throw thrown;
    }
    await finish(parts, commit, call);
  });
}

interface Commit {
  readonly seq: number;
  readonly changes: readonly FileChange[];
  readonly kept: readonly KeptChange[];
  appliedCount: number;
}

function assertAllowed({ jail, guard }: CommitParts, changes: readonly FileChange[]): void {
  for (const path of changes.flatMap(pathsOf)) guard.judge(jail.parse(path), path, "write");
}

function assertNew({ state }: CommitParts, { callId }: NodeCommitCall): void {
  if (!state.journal.isCommitted(callId)) return;
  throw new ToolError("CALL_ID_CONFLICT", `The changes of call ${callId.slice(0, 80)} were already applied`, {
    hint: "Nothing was changed. Use a unique id for every call.",
    details: { callId },
  });
}

/**
 * Journals the intent before the first change. Syncs it only for several changes: a single one is one rename, so the
 * file is old or new whatever happens to the journal.
 */
async function begin(
  parts: CommitParts,
  { changes, verified }: { readonly changes: readonly FileChange[]; readonly verified: VerifiedPaths },
  { callId, tool, undoes }: NodeCommitCall,
): Promise<Commit> {
  const { journal } = parts.state;
  const seq = journal.nextSeq;
  const durable = changes.length > 1;
  const kept: KeptChange[] = [];
  const pace = new Pace();
  for (const [index, change] of changes.entries()) {
    await pace.breathe();
    kept.push(await keepFormer(parts, change, { trashKey: trashKey(seq, index), durable }));
    // A second name in the trash changes the file's stats.
    if (kept.at(-1)?.journalled.trash !== undefined) await verified.renew(change.path);
  }
  const at = new Date().toISOString();
  const { pid, startTime } = ownIdentity();
  const journalled = kept.map((each) => each.journalled);
  const origin = undoes === undefined ? {} : { undoes };
  await journal.append(
    { type: "begin", seq, callId, tool, at, pid, startTime, ...origin, changes: journalled },
    { durable },
  );
  return { seq, changes, kept, appliedCount: 0 };
}

async function applyAll(
  { jail, newFileMode, state }: CommitParts,
  { commit, verified }: { readonly commit: Commit; readonly verified: VerifiedPaths },
): Promise<void> {
  const { seq, changes, kept } = commit;
  const staged = await stageFiles({ jail, newFileMode }, changes);
  try {
    const pace = new Pace();
    for (const [index, change] of changes.entries()) {
      await pace.breathe();
      await verified.assertStill(change);
      const trashKey = kept[index]?.journalled.trash ?? "";
      await applyChange({ jail, trash: state.trash, staged: staged.get(change), trashKey }, change);
      commit.appliedCount += 1;
      // After a crash, at most one change is then in doubt.
      if (changes.length > 1) await state.journal.append({ type: "applied", seq, index }, { durable: true });
    }
  } finally {
    await unstage(jail, staged.values());
  }
}

/**
 * If this fails, the record stays unfinished and the next commit or start retries. The caller gets the reason why the
 * commit failed.
 */
async function rollBack(parts: CommitParts, commit: Commit, cause: unknown): Promise<void> {
  const { seq, kept, appliedCount } = commit;
  const changes = kept.map((each) => each.journalled);
  const failure = await revertChanges(parts, changes, appliedCount);
  if (failure !== undefined) return;
  const reason = ToolError.is(cause) ? cause.code : "EXECUTION_ERROR";
  await parts.state.journal.append({ type: "aborted", seq, reason });
}

/** Includes a random part, because a crash may have left an entry under the same number. */
function trashKey(seq: number, index: number): string {
  return `${seq}-${index}-${randomBytes(4).toString("hex")}`;
}

/**
 * All changes are on disk, so the call has succeeded even if this cannot be recorded: the next commit or start finds
 * the record unfinished and its changes applied.
 */
async function finish(parts: CommitParts, commit: Commit, call: NodeCommitCall): Promise<void> {
  try {
    const storedBytes = commit.kept.reduce((sum, each) => sum + each.storedBytes, 0);
    const changes = commit.kept.map((each) => each.journalled);
    await recordCommit(parts, { seq: commit.seq, undoes: call.undoes, changes, storedBytes });
  } catch (thrown) {
    if (errnoOf(thrown) === undefined && !ToolError.is(thrown)) throw thrown;
  }
}
