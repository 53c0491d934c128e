import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Ends a process group: asks, waits, then insists. Resolves when nobody is left, or shortly after
 * SIGKILL. A process that made a session of its own is not in the group; a pid namespace is what
 * catches those.
 */
export async function stopProcessGroup(pid: number, graceMs = GRACE_MS): Promise<void> {
  if (!signalGroup(pid, "SIGTERM")) return;
  if (await isGone(pid, graceMs)) return;
  signalGroup(pid, "SIGKILL");
  await isGone(pid, AFTER_KILL_MS);
}

/** Whether anybody in a group is still at work. */
export function isGroupAlive(pid: number): boolean {
  return signalGroup(pid, 0) && !hasOnlyZombies(pid);
}

/** Long enough to tidy up, short enough that also on a busy machine nobody is left 3 s later. */
export const GRACE_MS = 1_000;
const AFTER_KILL_MS = 500;
const MAX_POLL_MS = 200;

/** False when nobody is in the group any more. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  // Looking costs time on a busy machine, where it also takes longer until there is something to see.
  for (let pollMs = 10; isGroupAlive(pid); pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) return false;
    await delay(Math.min(pollMs, leftMs));
  }
  return true;
}

/** In a container without an init, what has ended stays in the list for good: waiting for it is in vain. */
function hasOnlyZombies(group: number): boolean {
  try {
    const pids = readdirSync("/proc").filter((name) => name >= "0" && name <= "9999999999");
    return pids.every((pid) => !isLiveMember(pid, group));
  } catch {
    return false;
  }
}

function isLiveMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, , processGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return processGroup === String(group) && state !== "Z";
  } catch {
    return false;
  }
}
