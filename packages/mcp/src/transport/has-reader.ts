import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/**
 * Whether anybody still reads what is written to a descriptor, found out without a byte written: who was killed has
 * closed both ends, who has only said all there is to say still waits for answers. True where it cannot be known.
 */
export function hasReader(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    if (stats.isFIFO()) return isPipeRead(descriptor);
    return stats.isSocket() ? isSocketOpen(descriptor) : true;
  } catch {
    return true;
  }
}

/** To open a pipe for writing fails when nobody has it open for reading. */
function isPipeRead(descriptor: number): boolean {
  try {
    closeSync(openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENXIO";
  }
}

/** Nobody says anything on it; what is closed at the other end reads as ended. Node opens it so that reading never waits. */
function isSocketOpen(descriptor: number): boolean {
  try {
    return readSync(descriptor, Buffer.alloc(1)) > 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EAGAIN";
  }
}
