import { type Approval, approveCall, EDITED } from "./approve-call.js";
import { assertNotDenied } from "./judge-call.js";
import type { CallInProgress, Kernel } from "./kernel.js";
import { withModifiedArguments } from "./with-modified-arguments.js";
import { NO_TURN } from "./write-turns.js";

/** Approves a call that cannot be rehearsed. Returns the call with the arguments that were approved. */
export async function approveArguments(
  kernel: Kernel,
  call: CallInProgress,
  askAgain?: string,
): Promise<{ readonly approval: Approval; readonly ready: CallInProgress; readonly isShown: boolean }> {
  const approval = await approveCall(kernel, call, { changes: [], asking: NO_TURN, askAgain });
  const ready = await withModifiedArguments(call, approval.modifiedArgs);
  if (ready === call) return { approval, ready, isShown: true };
  await assertNotDenied(kernel, ready, []);
  return approval.showAgain === true
    ? approveArguments(kernel, ready, EDITED)
    : { approval, ready, isShown: false };
}
