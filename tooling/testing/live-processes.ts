import { readdirSync, readFileSync } from "node:fs";

/** Live processes that carry a marker in their command line, by their ids. One that has ended and waits for its parent is none. */
export function liveProcesses(marker: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const isZombie = stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
      return !isZombie && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(marker);
    } catch {
      // Gone meanwhile.
      return false;
    }
  });
}
