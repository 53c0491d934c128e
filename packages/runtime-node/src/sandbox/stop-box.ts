import { isGone, stopProcessGroup } from "../process/stop-process-group.js";
import { withDescendants } from "./group-usage.js";

/**
 * Ends a box. Its programs get SIGTERM first, so that git removes its lock files: SIGTERM alone ends the launcher, and
 * the kernel then kills everything in the box.
 */
export async function stopBox(launcher: number): Promise<void> {
  const [, , ...programs] = withDescendants(launcher);
  for (const pid of programs) terminate(pid);
  if (programs.length > 0 && (await isGone(launcher, GRACE_MS))) return;
  await stopProcessGroup(launcher);
}

const GRACE_MS = 500;

function terminate(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // It has ended.
  }
}
