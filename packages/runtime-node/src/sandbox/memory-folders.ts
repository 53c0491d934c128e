import { statfsSync } from "node:fs";
import { textIfReadable } from "../fs/if-readable.js";

/** A folder of a box that is memory of a fixed size. */
export interface MemoryFolder {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Returns the number of entries in the fullest of these folders: their size limits bytes, not empty files. `launcher` is
 * the parent of the box's first process. Returns 0 for a box that is not ready yet or has ended. Never throws.
 */
export function entriesInMemory(launcher: number, folders: readonly MemoryFolder[]): number {
  const children = (textIfReadable(`/proc/${launcher}/task/${launcher}/children`) ?? "").split(" ");
  const first = children.find((child) => child !== "");
  return first === undefined ? 0 : Math.max(0, ...folders.map((folder) => entriesOf(first, folder)));
}

function entriesOf(pid: string, { path, bytes }: MemoryFolder): number {
  try {
    const { blocks, bsize, files, ffree } = statfsSync(`/proc/${pid}/root${path}`);
    // A box that is still being made shows the host's folder, which has another size.
    return blocks * bsize === bytes ? files - ffree : 0;
  } catch {
    return 0;
  }
}
