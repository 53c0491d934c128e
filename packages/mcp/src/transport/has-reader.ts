import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

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

/**
 * To write nothing sends nothing, and fails where both directions were closed. Reading would not do: where input and output
 * are one socket, it ends as well for who has only stopped talking. A network never tells the two apart, and none fails.
 */
function isSocketOpen(descriptor: number): boolean {
  try {
    writeSync(descriptor, NOTHING);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EPIPE";
  }
}

const NOTHING = new Uint8Array(0);
