import { ToolError } from "../error/tool-error.js";
import { describeChange } from "../workspace/describe-change.js";
import { approveArguments } from "./approve-arguments.js";
import { approveCall } from "./approve-call.js";
import { applyChanges, isStale, type Outcome, rehearse, started } from "./call-effects.js";
import { assertNotForbidden } from "./judge-call.js";
import type { CallInProgress, Kernel } from "./kernel.js";
import { assertSameOperands } from "./operands.js";
import { cannotPreview, isPreview } from "./preview-call.js";
import { NO_TURN } from "./write-turns.js";

/**
 * Runs a tool that cannot be rehearsed: requests approval for the call first, and for its file changes once they are
 * known.
 */
export async function performThenApply(kernel: Kernel, call: CallInProgress): Promise<Outcome> {
  if (isPreview(call)) throw cannotPreview(call);
  const { approval, ready, isShown } = await approveArguments(kernel, call);
  if (isShown) await assertSameOperands(kernel, ready, approval.operands);
  await started(kernel, ready);
  const outcome = await rehearse(kernel, ready, HAS_RUN);
  if (outcome.changes.length > 0) {
    await assertNotForbidden(kernel, ready, { changes: outcome.changes, hasRun: true });
    const isAnswered = await approveChanges(kernel, outcome, approval.by !== "policy");
    if (!isAnswered) return withoutChanges(outcome);
  }
  await withOutcome(outcome, () => applyChanges(kernel, outcome, () => {}), isStale);
  return outcome;
}

/** Returns false if the changes need approval, no approver is attached, and the tool works without them. */
async function approveChanges(kernel: Kernel, outcome: Outcome, approved: boolean): Promise<boolean> {
  const canDoWithout = outcome.call.registered.definition.withoutChanges !== undefined;
  try {
    const { call, changes } = outcome;
    await approveCall(kernel, call, { changes, asking: HAS_RUN, approved, isRunning: true });
    return true;
  } catch (error) {
    if (canDoWithout && kernel.approver === undefined && isUnanswered(error)) return false;
    return withOutcome(outcome, () => Promise.reject(error)).then(() => true);
  }
}

/** The outcome with no change applied. */
function withoutChanges(outcome: Outcome): Outcome {
  const { call, changes } = outcome;
  const value = call.registered.definition.withoutChanges?.(
    outcome.value as never,
    changes.map(describeChange),
  );
  call.warnings.push(
    "its file changes need approval and no approver is attached: nothing was applied, new files included",
  );
  return { ...outcome, value, changes: [] };
}

/** The call cannot simply be repeated, so the error includes its outcome, as the tool's `whenUnapplied` words it. */
async function withOutcome(
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

/** For the second approval request, about applying the file changes of a call that has run. */
const HAS_RUN = { ...NO_TURN, hasRun: true };

function isUnanswered(error: unknown): boolean {
  return ToolError.is(error) && error.code === "APPROVAL_REQUIRED";
}
