import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Identifies a process: not a later one with the same number, and not one in another container. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The start time in the system's own units; "" if the system does not provide it. */
  readonly startTime: string;
  /** Where `pid` is valid: the boot and the pid namespace. Records of version 0.1 have none. */
  readonly space?: string;
}

/** Read once: it never changes, and every lock names it. */
export function ownIdentity(): Required<ProcessIdentity> {
  known.own ??= { pid: process.pid, startTime: startTimeIn("/proc/self") ?? "", space: ownSpace() };
  return known.own;
}

const known: { own?: Required<ProcessIdentity> } = {};

/**
 * Returns whether a process may be alive. A process of this pid namespace is looked up. One of another namespace,
 * container or machine counts as alive while the file that it renews is fresh.
 */
export function isAlive(identity: ProcessIdentity, renewedMs = 0): boolean {
  const { pid, startTime, space } = identity;
  if (space !== undefined && space !== ownSpace()) return Date.now() - renewedMs < STALE_MS;
  const current = showsOwnProcesses() ? startTimeIn(`/proc/${pid}`) : undefined;
  if (current !== undefined && startTime !== "") return current === startTime;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: the process belongs to another user, but is alive.
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** How often a process renews the file that names it as owner. */
export const RENEW_MS = 2_000;

/** Long enough for a busy process, shorter than any wait for a lock. */
const STALE_MS = 20_000;

function ownSpace(): string {
  try {
    return `${bootId()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // No /proc, so no pid namespaces either: one space per machine.
    return hostname();
  }
}

/** Returns false if /proc was mounted for another pid namespace, where its numbers mean other processes. */
function showsOwnProcesses(): boolean {
  try {
    return readlinkSync("/proc/self") === String(process.pid);
  } catch {
    return false;
  }
}

/** Combines the boot and the ticks since boot, which make a process number unique. */
function startTimeIn(folder: string): string | undefined {
  try {
    const stat = readFileSync(`${folder}/stat`, "utf8");
    // The program's name may contain spaces and parentheses, so count from its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return isDead(fields[0]) ? ENDED : `${bootId().slice(0, 8)}-${fields[STARTTIME_FIELD]}`;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

const STARTTIME_FIELD = 19;

/** Matches no recorded start time: the recorded process has ended. */
const ENDED = "ended";

/** Returns true for a zombie: it keeps its number but no longer runs. */
function isDead(state: string | undefined): boolean {
  return state === "Z" || state === "X";
}
