import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import type { SearchKernel } from "../kernel/search-kernel.js";
import type { FileReading } from "../search/file-searcher.js";
import type { HeldPaths } from "./held-paths.js";

// Neither a link nor a pipe that took the file's place since the folder was listed may be opened or wait.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FIRST_READ = 65_536;

export interface ReadTarget {
  /** The way to the file. */
  readonly paths: HeldPaths;
  readonly kernel: SearchKernel;
  readonly maxBytes: number;
  /** Told of the file before it is read. */
  readonly onOpened?: ((path: string, descriptor: number) => void) | undefined;
}

/**
 * Reads a file straight into the kernel's memory, to the given address. A file over the limit is never read beyond its
 * first 64 KiB.
 */
export function readFileInto(path: string, at: number, target: ReadTarget): FileReading {
  let descriptor: number;
  try {
    descriptor = openSync(target.paths.to(path), FLAGS);
  } catch {
    return "denied";
  }
  try {
    target.onOpened?.(path, descriptor);
    return readAll(descriptor, at, target);
  } catch {
    return "denied";
  } finally {
    closeSync(descriptor);
  }
}

function readAll(descriptor: number, at: number, { kernel, maxBytes }: ReadTarget): FileReading {
  const offset = at - KERNEL_LAYOUT.text;
  kernel.reserveText(offset + FIRST_READ + 1);
  let length = readSync(descriptor, kernel.bytes, at, FIRST_READ, null);
  if (length < FIRST_READ) return length > maxBytes ? "tooLarge" : length;
  const { size } = fstatSync(descriptor);
  if (size > maxBytes) return "tooLarge";
  kernel.reserveText(offset + size + FIRST_READ);
  while (length <= maxBytes) {
    const more = readSync(
      descriptor,
      kernel.bytes,
      at + length,
      Math.min(size - length + 1, FIRST_READ * 16),
      null,
    );
    if (more === 0) return length;
    length += more;
    kernel.reserveText(offset + length + FIRST_READ * 16);
  }
  return "tooLarge";
}
