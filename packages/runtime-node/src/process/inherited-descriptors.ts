import { readdirSync, readFileSync } from "node:fs";

/**
 * Lists the descriptors beyond standard error that this process inherited and would pass on to every program it
 * starts. A shell or an editor may have left them open, and one for a folder leads out of a box. Node marks its own
 * descriptors, and inherited ones up to the first gap beyond 15.
 */
export function inheritedDescriptors(): readonly number[] {
  try {
    const found = readdirSync("/proc/self/fd")
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isHandedOn(descriptor));
    const limit = found.length === 0 ? 0 : openFilesLimit();
    return found.filter((descriptor) => descriptor < limit);
  } catch {
    // This system has no such list.
    return [];
  }
}

/** Returns the limit: a descriptor beyond a limit that was lowered later cannot be replaced in a child. */
function openFilesLimit(): number {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}

function isHandedOn(descriptor: number): boolean {
  try {
    const [, flags = ""] =
      /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")) ?? [];
    return flags !== "" && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // Closed since the listing.
    return false;
  }
}

const CLOSE_ON_EXEC = 0o2000000;
