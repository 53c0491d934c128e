import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
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
  readonly at: number;
  readonly maxBytes: number;
  /** Told what the file is before it is read. */
  readonly onOpened?: ((stats: Stats) => void) | undefined;
}

/** Reads a file straight into the kernel's memory. A file over the limit is never read beyond its first 64 KiB. */
export function readFileInto(path: string, target: ReadTarget): FileReading {
  let descriptor: number;
  try {
    descriptor = openSync(target.paths.to(path), FLAGS);
  } catch {
    return "denied";
  }
  try {
    target.onOpened?.(fstatSync(descriptor));
    return readAll(descriptor, target);
  } catch {
    return "denied";
  } finally {
    closeSync(descriptor);
  }
}

function readAll(descriptor: number, { kernel, at, maxBytes }: ReadTarget): FileReading {
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
