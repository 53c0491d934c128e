import { canBeRehearsed, changesFiles, declaredPermissions } from "../permission/tool-permission.js";
import { pathsOf } from "../workspace/file-change.js";
import { approveArguments } from "./approve-arguments.js";
import { approveCall, EDITED } from "./approve-call.js";
import { applyChanges, isStale, type Outcome, rehearse, started } from "./call-effects.js";
import { assertNotDenied, assertNotForbidden } from "./judge-call.js";
import type { CallInProgress, Kernel } from "./kernel.js";
import { assertSameOperands } from "./operands.js";
import { performThenApply } from "./perform-then-apply.js";
import { cannotPreview, isPreview, isReadOnly } from "./preview-call.js";
import { runTool } from "./run-tool.js";
import { withModifiedArguments } from "./with-modified-arguments.js";
import type { WriteTurn } from "./write-turns.js";

/** Approves and executes a call in the order that its permissions require. */
export function performCall(kernel: Kernel, call: CallInProgress): Promise<Outcome> {
  const declared = declaredPermissions(call.registered.definition);
  if (!changesFiles(declared)) return performDirectly(kernel, call);
  if (!canBeRehearsed(declared)) return performThenApply(kernel, call);
  return performRehearsed(kernel, call);
}

/** Approves a call that cannot be rehearsed by its arguments, then runs it. */
async function performDirectly(kernel: Kernel, call: CallInProgress): Promise<Outcome> {
  if (isPreview(call) && !isReadOnly(call)) throw cannotPreview(call);
  const { approval, ready, isShown } = await approveArguments(kernel, call);
  if (isShown) await assertSameOperands(kernel, ready, approval.operands);
  await started(kernel, ready);
  return {
    call: ready,
    value: await runTool(kernel, ready, { workspace: kernel.workspace }),
    changes: [],
    opened: [],
    isPreview: isPreview(call),
  };
}

/**
 * Rehearses, shows, requests approval and applies. If another program changes a file meanwhile, a call that was not
 * shown to a person starts over.
 */
async function performRehearsed(kernel: Kernel, call: CallInProgress): Promise<Outcome> {
  const turn = await kernel.writeTurns.take(call.deadline.signal);
  const announceStart = startedOnce(kernel);
  try {
    // A rehearsal reveals file content, in a preview and in error messages.
    await assertNotForbidden(kernel, call);
    for (let attempt = 1; ; attempt += 1) {
      const rehearsed = await rehearse(kernel, call);
      if (rehearsed.isPreview) {
        await assertNotForbidden(kernel, call, { changes: rehearsed.changes });
        await approveOpened(kernel, rehearsed, turn);
        await started(kernel, call);
        return rehearsed;
      }
      const earlier = turn.claim(rehearsed.changes.flatMap(pathsOf));
      if (earlier !== undefined) {
        await turn.pause(() => outsideDeadline(call, () => earlier));
        continue;
      }
      const approved = await approveRehearsed(kernel, rehearsed, { asking: turn });
      try {
        await applyChanges(kernel, approved.outcome, announceStart);
        return approved.outcome;
      } catch (error) {
        if (approved.wasShown || attempt === MAX_ATTEMPTS || !isStale(error)) throw error;
      }
    }
  } finally {
    turn.done();
  }
}

/** Waits for another call's approval without counting towards this call's deadline. */
async function outsideDeadline<T>({ deadline }: CallInProgress, work: () => Promise<T>): Promise<T> {
  deadline.pause();
  try {
    return await deadline.within(work);
  } finally {
    deadline.resume();
  }
}

async function approveRehearsed(
  kernel: Kernel,
  rehearsed: Outcome,
  question: { readonly asking: WriteTurn; readonly askAgain?: string },
): Promise<Approved> {
  const { changes, opened } = rehearsed;
  const approval = await approveCall(kernel, rehearsed.call, { changes, opened, ...question });
  const wasShown = approval.by === "person";
  const call = await withModifiedArguments(rehearsed.call, approval.modifiedArgs);
  if (call === rehearsed.call) return { outcome: rehearsed, wasShown };
  await assertNotForbidden(kernel, call);
  const again = await rehearse(kernel, call);
  await assertNotDenied(kernel, call, again.changes);
  if (approval.showAgain === true) return approveRehearsed(kernel, again, { ...question, askAgain: EDITED });
  return { outcome: again, wasShown };
}

/** A preview shows file content, so a file that needs approval is approved first. */
async function approveOpened(kernel: Kernel, { call, opened }: Outcome, asking: WriteTurn): Promise<void> {
  if (opened.length > 0) await approveCall(kernel, call, { changes: [], opened, asking, isRunning: true });
}

interface Approved {
  readonly outcome: Outcome;
  readonly wasShown: boolean;
}

/** Announces the start once, after approval and before the first effect. */
function startedOnce(kernel: Kernel): (call: CallInProgress) => void | Promise<void> {
  let isAnnounced = false;
  return (call) => {
    if (isAnnounced) return;
    isAnnounced = true;
    return started(kernel, call);
  };
}

const MAX_ATTEMPTS = 100;
