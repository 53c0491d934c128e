import { readFileSync } from "node:fs";

/**
 * Returns the mode of a new file under the process's umask. Reads it without setting it, which other threads would
 * notice.
 */
export function newFileMode(): number {
  return 0o666 & ~currentUmask();
}

function currentUmask(): number {
  try {
    const [, umask] = /^Umask:\s*([0-7]+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return umask === undefined ? COMMON_UMASK : Number.parseInt(umask, 8);
  } catch {
    return COMMON_UMASK;
  }
}

const COMMON_UMASK = 0o022;
