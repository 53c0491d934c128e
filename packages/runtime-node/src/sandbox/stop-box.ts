import { setTimeout as delay } from "node:timers/promises";
import { textIfReadable } from "../fs/if-readable.js";
import { stopProcessGroup } from "../process/stop-process-group.js";
import { withDescendants } from "./group-usage.js";

/**
 * Ends a box. What its shell started gets SIGTERM first, so that git removes its lock files. The shell is held meanwhile:
 * with it the box would end, and the kernel would kill the others before they act on the signal.
 */
export async function stopBox(launcher: number): Promise<void> {
  const [, , shell, ...programs] = withDescendants(launcher);
  if (shell !== undefined && programs.length > 0) {
    signal(shell, "SIGSTOP");
    for (const pid of programs) signal(pid, "SIGTERM");
    const until = performance.now() + GRACE_MS;
    while (programs.some(isRunning) && performance.now() < until) await delay(POLL_MS);
  }
  await stopProcessGroup(launcher);
}

const GRACE_MS = 500;
const POLL_MS = 10;

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** A process that has ended stays until its parent looks, which is held. */
function isRunning(pid: number): boolean {
  const stat = textIfReadable(`/proc/${pid}/stat`);
  return stat !== undefined && !stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
}
