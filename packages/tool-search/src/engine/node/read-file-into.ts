import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import type { SearchKernel } from "../kernel/search-kernel.js";
import type { FileReading } from "../search/file-searcher.js";
import type { HeldPaths } from "./held-paths.js";

// A link or a pipe that replaced the file since the listing must neither be followed nor block.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FIRST_READ = 65_536;

export interface ReadTarget {
  /** Resolves the path. */
  readonly paths: HeldPaths;
  readonly kernel: SearchKernel;
  readonly maxBytes: number;
  /** Called before the file is read. */
  readonly onOpened?: ((descriptor: number) => void) | undefined;
  /** Called when its bytes are in the kernel's memory. */
  readonly onRead?: ((path: string, at: number, length: number) => void) | undefined;
}

/**
 * Reads a file directly into the kernel's memory at the given address. Never reads more than the first 64 KiB of a
 * file over the limit.
 */
export function readFileInto(path: string, at: number, target: ReadTarget): FileReading {
  let descriptor: number;
  try {
    descriptor = openSync(target.paths.to(path), FLAGS);
  } catch {
    return "denied";
  }
  try {
    target.onOpened?.(descriptor);
    const reading = readAll(descriptor, at, target);
    if (typeof reading === "number") target.onRead?.(path, at, reading);
    return reading;
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
