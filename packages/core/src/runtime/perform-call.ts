import { ToolError } from "../error/tool-error.js";
import { canBeRehearsed, changesFiles, declaredPermissions } from "../permission/tool-permission.js";
import { type FileChange, pathsOf } from "../workspace/file-change.js";
import { OverlayWorkspace } from "../workspace/overlay-workspace.js";
import { approveCall } from "./approve-call.js";
import { assertNotDenied, assertNotForbidden } from "./judge-call.js";
import type { CallInHand, Kernel } from "./kernel.js";
import { cannotPreview, isPreview, isReadOnly } from "./preview-call.js";
import { runTool } from "./run-tool.js";
import { withModifiedArguments } from "./with-modified-arguments.js";
import type { WriteTurn } from "./write-turns.js";

/** What a call came to, before it is put into words. */
export interface Outcome {
  readonly call: CallInHand;
  readonly value: unknown;
  readonly changes: readonly FileChange[];
  readonly isPreview: boolean;
}

/** Takes a call through approval and effect, in the way its permissions ask for. */
export function performCall(kernel: Kernel, call: CallInHand): Promise<Outcome> {
  const declared = declaredPermissions(call.registered.definition);
  if (!changesFiles(declared)) return performDirectly(kernel, call);
  if (!canBeRehearsed(declared)) return performThenApply(kernel, call);
  return performRehearsed(kernel, call);
}

/** Nothing to rehearse: decided on the arguments, then run. */
async function performDirectly(kernel: Kernel, call: CallInHand): Promise<Outcome> {
  if (isPreview(call) && !isReadOnly(call)) throw cannotPreview(call);
  const approval = await approveCall(kernel, call, { changes: [], asking: NO_TURN });
  const ready = await withModifiedArguments(call, approval.modifiedArgs);
  if (ready !== call) await assertNotDenied(kernel, ready, []);
  started(kernel, ready);
  return {
    call: ready,
    value: await runTool(kernel, ready, kernel.workspace),
    changes: [],
    isPreview: isPreview(call),
  };
}

/** Rehearse, show, ask, apply. Others may interfere from outside; then a call nobody was asked about starts over. */
async function performRehearsed(kernel: Kernel, call: CallInHand): Promise<Outcome> {
  const turn = await kernel.writeTurns.take(call.deadline.signal);
  const tellStarted = startedOnce(kernel);
  try {
    // A rehearsal already shows what is in a file: in a preview, and in the words of a failure.
    await assertNotForbidden(kernel, call);
    for (let attempt = 1; ; attempt += 1) {
      const rehearsed = await rehearse(kernel, call);
      if (rehearsed.isPreview) {
        await assertNotForbidden(kernel, call, { changes: rehearsed.changes });
        started(kernel, call);
        return rehearsed;
      }
      const earlier = turn.claim(rehearsed.changes.flatMap(pathsOf));
      if (earlier !== undefined) {
        await turn.pause(() => outsideDeadline(call, () => earlier));
        continue;
      }
      const approved = await approveRehearsed(kernel, rehearsed, turn);
      try {
        await apply(kernel, approved, tellStarted);
        return approved.outcome;
      } catch (error) {
        if (approved.wasAsked || attempt === MAX_ATTEMPTS || !isStale(error)) throw error;
      }
    }
  } finally {
    turn.done();
  }
}

/** Another call's person takes the time that a person takes; it is not this call's own. */
async function outsideDeadline<T>({ deadline }: CallInHand, work: () => Promise<T>): Promise<T> {
  deadline.pause();
  try {
    return await deadline.within(work);
  } finally {
    deadline.resume();
  }
}

async function approveRehearsed(kernel: Kernel, rehearsed: Outcome, turn: WriteTurn): Promise<Approved> {
  const approval = await approveCall(kernel, rehearsed.call, { changes: rehearsed.changes, asking: turn });
  const wasAsked = approval.by === "person";
  const call = await withModifiedArguments(rehearsed.call, approval.modifiedArgs);
  if (call === rehearsed.call) return { outcome: rehearsed, wasAsked };
  await assertNotForbidden(kernel, call);
  const again = await rehearse(kernel, call);
  await assertNotDenied(kernel, call, again.changes);
  return { outcome: again, wasAsked };
}

interface Approved {
  readonly outcome: Outcome;
  readonly wasAsked: boolean;
}

/** A command or a request cannot be rehearsed: it is asked about first, and its file changes once they are known. */
async function performThenApply(kernel: Kernel, call: CallInHand): Promise<Outcome> {
  if (isPreview(call)) throw cannotPreview(call);
  const approval = await approveCall(kernel, call, { changes: [], asking: NO_TURN });
  const ready = await withModifiedArguments(call, approval.modifiedArgs);
  if (ready !== call) await assertNotDenied(kernel, ready, []);
  started(kernel, ready);
  const outcome = await rehearse(kernel, ready, HAS_RUN);
  if (outcome.changes.length > 0) {
    await assertNotForbidden(kernel, ready, { changes: outcome.changes, hasRun: true });
    await orWhatItCameTo(outcome, () => approveChanges(kernel, outcome));
  }
  await orWhatItCameTo(outcome, () => apply(kernel, { outcome, wasAsked: true }, () => {}), isStale);
  return outcome;
}

async function approveChanges(kernel: Kernel, { call, changes }: Outcome): Promise<void> {
  const { modifiedArgs } = await approveCall(kernel, call, { changes, asking: HAS_RUN });
  if (modifiedArgs === undefined) return;
  throw new ToolError(
    "APPROVAL_DENIED",
    `${call.tool} has already run: its arguments can no longer be changed`,
    { hint: "It has run; its file changes were not applied. Do not retry the same call." },
  );
}

/** It cannot simply be run again, so what it came to is told, with the failure, by the one who knows how. */
async function orWhatItCameTo(
  { call, value }: Outcome,
  work: () => Promise<void>,
  isUnapplied: (error: unknown) => error is ToolError = ToolError.is,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isUnapplied(error)) throw error;
    throw call.registered.definition.whenUnapplied?.(value as never, error) ?? error;
  }
}

/** Runs a call over an overlay and keeps what it would change. A failure quotes nothing that is denied. */
export async function rehearse(kernel: Kernel, call: CallInHand, { hasRun = false } = {}): Promise<Outcome> {
  call.warnings.length = call.keptWarnings;
  call.images.length = 0;
  const overlay = new OverlayWorkspace(kernel.workspace, kernel.limits);
  try {
    const value = await runTool(kernel, call, overlay);
    return { call, value, changes: overlay.changes, isPreview: isPreview(call) };
  } catch (thrown) {
    // What it says may quote what it read, also where no argument names the file.
    await assertNotForbidden(kernel, call, { changes: overlay.changes, read: overlay.readPaths, hasRun });
    throw thrown;
  }
}

/** Told once, when what follows is real: after approval, before the first effect. */
function startedOnce(kernel: Kernel): (call: CallInHand) => void {
  let isTold = false;
  return (call) => {
    if (!isTold) started(kernel, call);
    isTold = true;
  };
}

/** Whoever hears that a call starts and cannot have it, an event that cannot be kept for example, stops it here. */
function started({ events, redact }: Kernel, call: CallInHand): void {
  if (events.isWatched) events.emit(call, { type: "started", args: redact(call.args) });
  call.deadline.throwIfAborted();
}

/** Tells that the call has started when nothing can send it back to be asked about any more. */
async function apply(
  kernel: Kernel,
  { outcome }: Approved,
  tellStarted: (call: CallInHand) => void,
): Promise<void> {
  const { call, changes, isPreview } = outcome;
  // A person may have answered "only show me what it would do".
  if (changes.length === 0 || isPreview) return tellStarted(call);
  call.deadline.throwIfAborted();
  const { callId } = call;
  const tool = call.registered.definition.name;
  await kernel.workspace.commit(changes, { callId, tool, beforeFirstEffect: () => tellStarted(call) });
  tellStarted(call);
  kernel.ledger.applied(changes);
}

const NO_TURN = { pause: <T>(work: () => Promise<T>) => work() };
/** For a second question, about what a call that cannot be rehearsed has left to be applied. */
const HAS_RUN = { ...NO_TURN, hasRun: true };
const MAX_ATTEMPTS = 100;

function isStale(error: unknown): error is ToolError {
  return ToolError.is(error) && error.code === "STALE_FILE";
}
