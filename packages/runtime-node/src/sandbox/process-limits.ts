import { textIfReadable } from "../fs/if-readable.js";
import type { ControlGroup } from "./control-group.js";
import type { SandboxLimits } from "./sandbox-limits.js";

/** Returns the options of `ulimit` for a box, as far as this process may set them. */
export function ulimits(limits: SandboxLimits, group: ControlGroup, isCommand: boolean): readonly string[] {
  const { memoryMb, cpuSeconds, fileSizeMb, openFiles } = limits;
  // Address space is not memory: it gets room where memory itself is counted.
  const addressMb = group.limitsMemory ? Math.max(3 * 1024, 3 * memoryMb) : memoryMb;
  const hard = hardLimits();
  return [
    // Compilers and WebAssembly reserve far more addresses than they use; the memory of the whole group is watched.
    ...(isCommand ? [] : [`-v ${Math.floor(Math.min(addressMb * MEGABYTE, hard("address space")) / 1024)}`]),
    // Counted in blocks of 512 bytes.
    `-f ${Math.floor(Math.min(fileSizeMb * MEGABYTE, hard("file size")) / 512)}`,
    `-n ${Math.min(openFiles, hard("open files"))}`,
    "-c 0",
    // The soft limit warns a program; a second later it is killed.
    `-S -t ${Math.min(cpuSeconds, hard("cpu time"))}`,
    `-H -t ${Math.min(cpuSeconds + 1, hard("cpu time"))}`,
  ];
}

/**
 * Returns how many processes this user may have while a box runs. The kernel counts all of a user's threads, in a box and
 * elsewhere, so those of the whole machine are added, and room for programs that are started later. The processes of the
 * box itself are counted while it runs. It has no effect for root.
 */
export function processLimit({ processes }: Pick<SandboxLimits, "processes">): number {
  const threads = Number(/\/(\d+) /.exec(textIfReadable("/proc/loadavg") ?? "")?.[1] ?? 0);
  return Math.min(threads + processes + ROOM_FOR_OTHERS, hardLimits()("processes"));
}

const ROOM_FOR_OTHERS = 1024;
const MEGABYTE = 1024 * 1024;

/** Reads the hard limits of this process: a box cannot have more. */
function hardLimits(): (name: string) => number {
  const text = textIfReadable("/proc/self/limits") ?? "";
  return (name) => {
    const hard = new RegExp(`^Max ${name} +\\S+ +(\\S+)`, "m").exec(text)?.[1];
    return hard === undefined || hard === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(hard);
  };
}
