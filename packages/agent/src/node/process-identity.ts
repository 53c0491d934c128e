import { readFileSync } from "node:fs";

/** A process, told apart from a later one that got the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as the system counts; "" where the system does not tell. */
  readonly startTime: string;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: startTimeOf(process.pid) ?? "" };
}

export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  const current = startTimeOf(pid);
  if (current !== undefined && startTime !== "") return current === startTime;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // A process of another user is alive all the same.
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Boot and ticks since boot; a process that has ended but is still listed has none. */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name may hold spaces and brackets, so count from behind it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
    return fields[0] === "Z" || fields[0] === "X" ? "ended" : `${boot}-${fields[STARTTIME_FIELD]}`;
  } catch {
    return undefined;
  }
}

const STARTTIME_FIELD = 19;
