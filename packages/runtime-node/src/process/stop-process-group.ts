import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Ends a process group: SIGTERM, a grace period, then SIGKILL. Resolves when it is empty, or shortly after SIGKILL. A
 * process that created its own session is not in the group; only a pid namespace catches those.
 */
export async function stopProcessGroup(pid: number, graceMs = GRACE_MS): Promise<void> {
  if (!signalGroup(pid, "SIGTERM")) return;
  if (await isGone(pid, graceMs)) return;
  signalGroup(pid, "SIGKILL");
  await isGone(pid, AFTER_KILL_MS);
}

/** Returns whether any process of a group is running. */
export function isGroupAlive(pid: number): boolean {
  return signalGroup(pid, 0) && !hasOnlyZombies(pid);
}

/** Long enough to clean up, short enough that the group is gone within 3 s even on a busy machine. */
export const GRACE_MS = 1_000;
const AFTER_KILL_MS = 500;
const MAX_POLL_MS = 200;

/** Returns false if the group has no processes left. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  // Polling takes time on a busy machine, where the group also takes longer to end.
  for (let pollMs = 10; isGroupAlive(pid); pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) return false;
    await delay(Math.min(pollMs, leftMs));
  }
  return true;
}

/** Returns true if nothing but zombies is left: in a container without an init they stay forever. */
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
