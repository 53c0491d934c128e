import { randomBytes } from "node:crypto";
import { type CommitCall, type FileChange, pathsOf, ToolError } from "@haft/core";
import { ownIdentity } from "../journal/process-identity.js";
import { recoverCommits } from "../journal/recover-commits.js";
import { applyChange } from "./apply-change.js";
import type { CommitParts } from "./commit-parts.js";
import { type KeptChange, keepFormer } from "./keep-former.js";
import { revertChanges } from "./revert-change.js";
import { stageFiles, unstage } from "./stage-files.js";
import { errnoOf } from "./system-error.js";
import { VerifiedPaths } from "./verify-change.js";
import { writeDown } from "./write-down.js";

/** A commit that takes back an earlier one says which. */
export interface NodeCommitCall extends CommitCall {
  /** The call id of what is taken back. */
  readonly undoes?: string | undefined;
}

/**
 * Applies changes in order, all or none: the one place where bytes reach the disk. Alone among all
 * processes; nothing is touched before every path was found as rehearsed, what will be lost was
 * put away, the intent was journalled, and all new content was on the disk.
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
    call.beforeFirstEffect?.();
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
  throw new ToolError("CALL_ID_CONFLICT", `The changes of call ${callId.slice(0, 80)} were made already`, {
    hint: "Nothing was changed. Give every call an id of its own.",
    details: { callId },
  });
}

/**
 * The intent goes to the disk before the first change. It is only forced there when there are
 * several changes: a single one is one rename, old or new whatever happens to the journal.
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
  for (const [index, change] of changes.entries()) {
    kept.push(await keepFormer(parts, change, { trashKey: trashKey(seq, index), durable }));
    // A second name in the trash shows in what the system says about the file.
    if (kept.at(-1)?.journalled.trash !== undefined) await verified.renew(change.path);
  }
  const at = new Date().toISOString();
  const journalled = kept.map((each) => each.journalled);
  const origin = undoes === undefined ? {} : { undoes };
  journal.append(
    { type: "begin", seq, callId, tool, at, ...ownIdentity(), ...origin, changes: journalled },
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
    for (const [index, change] of changes.entries()) {
      await verified.assertStill(change);
      const trashKey = kept[index]?.journalled.trash ?? "";
      await applyChange({ jail, trash: state.trash, staged: staged.get(change), trashKey }, change);
      commit.appliedCount += 1;
      // So that after a crash there is one change at most about which one has to guess.
      if (changes.length > 1) state.journal.append({ type: "applied", seq, index }, { durable: true });
    }
  } finally {
    await unstage(jail, staged.values());
  }
}

/**
 * Where this fails the record stays unfinished, so the next commit or start tries again; what the
 * caller has to hear is why the commit failed.
 */
async function rollBack(parts: CommitParts, commit: Commit, cause: unknown): Promise<void> {
  const { seq, kept, appliedCount } = commit;
  const changes = kept.map((each) => each.journalled);
  const failure = await revertChanges(parts, changes, appliedCount);
  if (failure !== undefined) return;
  const reason = ToolError.is(cause) ? cause.code : "EXECUTION_ERROR";
  parts.state.journal.append({ type: "aborted", seq, reason });
}

/** Random as well, because a crash may have left something under the number. */
function trashKey(seq: number, index: number): string {
  return `${seq}-${index}-${randomBytes(4).toString("hex")}`;
}

/**
 * All changes are on the disk by now, so the call has succeeded even if this cannot be written down:
 * the next commit or start will find the record unfinished and its changes applied.
 */
async function finish(parts: CommitParts, commit: Commit, call: NodeCommitCall): Promise<void> {
  try {
    const storedBytes = commit.kept.reduce((sum, each) => sum + each.storedBytes, 0);
    const changes = commit.kept.map((each) => each.journalled);
    await writeDown(parts, { seq: commit.seq, undoes: call.undoes, changes, storedBytes });
  } catch (thrown) {
    if (errnoOf(thrown) === undefined && !ToolError.is(thrown)) throw thrown;
  }
}
