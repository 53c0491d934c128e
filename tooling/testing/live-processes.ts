import { readdirSync, readFileSync } from "node:fs";

/** Returns the ids of live processes with a marker in their command line. Excludes zombies. */
export function liveProcesses(marker: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const isZombie = stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
      return !isZombie && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(marker);
    } catch {
      // It has exited meanwhile.
      return false;
    }
  });
}
