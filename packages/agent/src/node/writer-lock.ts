import { ToolError } from "@haft/core";
import { LockAttempt, type LockOwner, letGo } from "@haft/runtime-node/state";

/** Makes this process the only writer of a file; the function returned lets go of it. Throws RUN_BUSY while another one is. */
export function takeWriterLock(path: string): () => void {
  const attempt = new LockAttempt(path);
  try {
    const owner = attempt.take();
    if (owner !== undefined) throw busy(owner);
  } finally {
    attempt.withdraw();
  }
  let isHeld = true;
  return () => {
    // Once: afterwards it may be another's.
    if (isHeld) letGo(path);
    isHeld = false;
  };
}

function busy({ pid }: LockOwner): ToolError {
  return new ToolError("RUN_BUSY", `Process ${pid} is driving this run`, {
    hint: "Wait until it has ended, or stop it.",
    details: { pid },
  });
}
