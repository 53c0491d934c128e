import { ToolError } from "../error/tool-error.js";
import { describeInTurns } from "../workspace/describe-change.js";
import type { FileChange } from "../workspace/file-change.js";
import { GuardedStore } from "../workspace/guarded-store.js";
import { OverlayWorkspace } from "../workspace/overlay-workspace.js";
import { approveCall } from "./approve-call.js";
import { guardPaths } from "./guard-paths.js";
import { assertNotForbidden } from "./judge-call.js";
import type { CallInProgress, Kernel } from "./kernel.js";
import { isPreview } from "./preview-call.js";
import { refusePlaceholders } from "./refuse-placeholders.js";
import { runTool } from "./run-tool.js";
import { NO_TURN } from "./write-turns.js";

/** The outcome of a call, before it is rendered. */
export interface Outcome {
  readonly call: CallInProgress;
  readonly value: unknown;
  readonly changes: readonly FileChange[];
  readonly isPreview: boolean;
  /** Files it read that require approval under a rule. */
  readonly opened: readonly string[];
}

/** Runs a call over an overlay and records its changes. Errors never quote denied files. */
export async function rehearse(
  kernel: Kernel,
  call: CallInProgress,
  { hasRun = false } = {},
): Promise<Outcome> {
  call.warnings.length = call.keptWarnings;
  call.images.length = 0;
  const unasked = new Set<string>();
  const guard = guardPaths(kernel, call, hasRun ? { hasRun } : { unasked });
  const store = guard === undefined ? kernel.workspace : new GuardedStore(kernel.workspace, guard);
  const overlay = new OverlayWorkspace(store, kernel.limits);
  try {
    const value = await runTool(kernel, call, { workspace: overlay });
    // The model did not write the files that a command produces.
    if (!hasRun) refusePlaceholders(overlay.changes, call.args);
    await describeInTurns(overlay.changes, call.pace);
    return { call, value, changes: overlay.changes, opened: [...unasked], isPreview: isPreview(call) };
  } catch (thrown) {
    // The error may quote a file that it read, even if no argument names the file.
    await assertNotForbidden(kernel, call, { changes: overlay.changes, read: overlay.readPaths, hasRun });
    const opened = [...unasked];
    // The approval request precedes the failure, in an explanation too.
    if (opened.length > 0 && call.isExplained === true)
      return { call, value: undefined, changes: [], opened, isPreview: isPreview(call) };
    if (opened.length > 0)
      await approveCall(kernel, call, { changes: [], opened, asking: NO_TURN, isRunning: true });
    throw thrown;
  }
}

/** Announces that a call starts. A listener can still stop it here, for example if the event cannot be stored. */
export function started({ events, redact }: Kernel, call: CallInProgress): void | Promise<void> {
  if (events.isWatched) events.emit(call, { type: "started", args: redact(call.args) });
  call.deadline.throwIfAborted();
  const { beforeStart, recordings } = call;
  if (beforeStart === undefined && recordings.length === 0) return;
  // Together: each of them may wait for a disk or a database.
  return call.deadline.within(async () => void (await Promise.all([beforeStart?.(), ...recordings])));
}

/**
 * Commits the changes. Announces the start before the first effect; `announceStart` acts once, so a store that does not
 * call the hook still announces a call.
 */
export async function applyChanges(
  kernel: Kernel,
  outcome: Outcome,
  announceStart: (call: CallInProgress) => void | Promise<void>,
): Promise<void> {
  const { call, changes, isPreview } = outcome;
  // The approver may have answered "only show me what it would do".
  if (changes.length === 0 || isPreview) return announceStart(call);
  call.deadline.throwIfAborted();
  const { callId } = call;
  const tool = call.registered.definition.name;
  await kernel.workspace.commit(changes, { callId, tool, beforeFirstEffect: () => announceStart(call) });
  await announceStart(call);
  kernel.ledger.applied(changes);
}

export function isStale(error: unknown): error is ToolError {
  return ToolError.is(error) && error.code === "STALE_FILE";
}
