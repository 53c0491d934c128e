import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

/**
 * Detects, without writing, whether the other end of a descriptor is still read. A killed client has closed both ends;
 * one that only stopped sending still waits for responses. Returns true if unknown.
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

/** Opening a pipe for writing fails if it has no reader. */
function isPipeRead(descriptor: number): boolean {
  try {
    closeSync(openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENXIO";
  }
}

/**
 * Writing zero bytes sends nothing, and fails if both directions are closed. Reading cannot tell: on a single socket it
 * also ends for a client that only stopped sending. Network sockets never fail here.
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
