import { textIfReadable } from "../fs/if-readable.js";

/** The combined usage of a process and its descendants. */
interface GroupUsage {
  /** At most 4,096 are counted. */
  readonly processes: number;
  readonly memoryMb: number;
  /** Includes processes that have ended and were waited for. */
  readonly cpuSeconds: number;
}

/** Measures a process and its descendants. Returns zeros without /proc. */
export function groupUsage(pid: number): GroupUsage {
  let pages = 0;
  let ticks = 0;
  const processes = withDescendants(pid);
  for (const each of processes) {
    pages += Number((textIfReadable(`/proc/${each}/statm`) ?? "").split(" ")[1] ?? 0);
    const stat = textIfReadable(`/proc/${each}/stat`) ?? "";
    // The program's name may contain spaces and parentheses, so count from its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    for (const field of CPU_FIELDS) ticks += Number(fields[field] ?? 0);
  }
  return {
    processes: processes.length,
    memoryMb: (pages * PAGE_BYTES) / MEGABYTE,
    cpuSeconds: ticks / TICKS_PER_SECOND,
  };
}

/** User and system time of the process, and of children that were waited for. */
const CPU_FIELDS = [11, 12, 13, 14];
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;
const MEGABYTE = 1024 * 1024;

/** Returns a process and its descendants, those that were started first at the front. */
export function withDescendants(pid: number): readonly number[] {
  const found = [pid];
  for (let index = 0; index < found.length && index < MAX_PROCESSES; index += 1) {
    const each = found[index];
    const children = textIfReadable(`/proc/${each}/task/${each}/children`) ?? "";
    found.push(...children.split(" ").filter(Boolean).map(Number));
  }
  return found;
}

const MAX_PROCESSES = 4096;
