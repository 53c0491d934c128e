import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  futimesSync,
  openSync,
  unlinkSync,
  writev,
} from "node:fs";
import { promisify } from "node:util";
import type { FileName, HeldDirectory } from "./held-directory.js";
import { errnoOf } from "./system-error.js";

export interface NewFile {
  /** In parts: all at hand, or as they come. */
  readonly content: readonly Uint8Array[] | AsyncIterable<Uint8Array>;
  readonly mode: number;
  /** Whose file this one stands in for: its owner is kept where the system permits. */
  readonly owner?: Pick<BigIntStats, "uid" | "gid"> | undefined;
  readonly modifiedMs?: number | undefined;
  /** False for what may be lost with the power, though not with the process. */
  readonly durable?: boolean | undefined;
}

/** Makes a file that was not there and puts it on the disk whole; on any failure there is none. */
export async function writeNewFile(directory: HeldDirectory, name: FileName, file: NewFile): Promise<void> {
  const path = directory.at(name);
  const descriptor = openSync(path, NEW_FILE_FLAGS, 0o600);
  try {
    if (isAtHand(file.content)) await writeAll(descriptor, file.content);
    else for await (const chunk of file.content) await writeAll(descriptor, [chunk]);
    takeOver(descriptor, file);
    if (file.durable !== false) await fsyncAsync(descriptor);
  } catch (thrown) {
    unlinkSync(path);
    throw thrown;
  } finally {
    closeSync(descriptor);
  }
}

function isAtHand(content: NewFile["content"]): content is readonly Uint8Array[] {
  return Array.isArray(content);
}

async function writeAll(descriptor: number, parts: readonly Uint8Array[]): Promise<void> {
  let left = parts.filter(({ length }) => length > 0);
  while (left.length > 0) {
    const { bytesWritten } = await writeAsync(descriptor, left);
    left = withoutFirst(left, bytesWritten);
  }
}

function withoutFirst(parts: readonly Uint8Array[], byteCount: number): Uint8Array[] {
  let skipped = byteCount;
  return parts.flatMap((part) => {
    const taken = Math.min(skipped, part.length);
    skipped -= taken;
    return taken === part.length ? [] : [part.subarray(taken)];
  });
}

/** Owner first: changing it may take permission bits away. What runs as its owner does so only for the same one. */
function takeOver(descriptor: number, { owner, mode, modifiedMs }: NewFile): void {
  const isSameOwner = owner === undefined || giveTo(descriptor, owner);
  fchmodSync(descriptor, isSameOwner ? mode : mode & 0o777);
  if (modifiedMs !== undefined) futimesSync(descriptor, modifiedMs / 1000, modifiedMs / 1000);
}

function giveTo(descriptor: number, owner: Pick<BigIntStats, "uid" | "gid">): boolean {
  const own = fstatSync(descriptor, { bigint: true });
  if (own.uid === owner.uid && own.gid === owner.gid) return true;
  try {
    fchownSync(descriptor, Number(owner.uid), Number(owner.gid));
    return true;
  } catch (thrown) {
    // Only root may give files away; the content is what matters.
    if (errnoOf(thrown) !== "EPERM" && errnoOf(thrown) !== "EINVAL") throw thrown;
    return false;
  }
}

const fsyncAsync = promisify(fsync);
const writeAsync = promisify(writev);
const NEW_FILE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
