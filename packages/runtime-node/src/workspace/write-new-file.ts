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

interface NewFile {
  /** In parts, in memory or streamed. */
  readonly content: readonly Uint8Array[] | AsyncIterable<Uint8Array>;
  readonly mode: number;
  /** The file being replaced. Its owner is preserved if the system permits. */
  readonly owner?: Pick<BigIntStats, "uid" | "gid"> | undefined;
  readonly modifiedMs?: number | undefined;
  /** False to skip fsync: the file survives a crash of the process but not a power cut. */
  readonly durable?: boolean | undefined;
}

/** Creates a new file and writes it to disk completely. On any failure no file remains. */
export async function writeNewFile(directory: HeldDirectory, name: FileName, file: NewFile): Promise<void> {
  const path = directory.at(name);
  const descriptor = openSync(path, NEW_FILE_FLAGS, 0o600);
  try {
    if (isInMemory(file.content)) await writeAll(descriptor, file.content);
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

function isInMemory(content: NewFile["content"]): content is readonly Uint8Array[] {
  return Array.isArray(content);
}

async function writeAll(descriptor: number, parts: readonly Uint8Array[]): Promise<void> {
  let left = parts.filter(({ length }) => length > 0);
  while (left.length > 0) {
    left = withoutFirst(left, await writeSome(descriptor, left));
  }
}

/**
 * Not promisified: Deno would resolve with a number where Node resolves with an object. Writes at least one byte, or
 * rejects.
 */
function writeSome(descriptor: number, parts: readonly Uint8Array[]): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(descriptor, parts, (error, byteCount) => {
      if (error) reject(error);
      else if (byteCount > 0) resolve(byteCount);
      else reject(new Error(`the system wrote ${byteCount} bytes and reported no error`));
    });
  });
}

function withoutFirst(parts: readonly Uint8Array[], byteCount: number): Uint8Array[] {
  let skipped = byteCount;
  return parts.flatMap((part) => {
    const taken = Math.min(skipped, part.length);
    skipped -= taken;
    return taken === part.length ? [] : [part.subarray(taken)];
  });
}

/** Sets the owner first: changing it may remove permission bits. Keeps set-user-id bits only for the same owner. */
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
    // Only root may change the owner, and the content matters more.
    if (errnoOf(thrown) !== "EPERM" && errnoOf(thrown) !== "EINVAL") throw thrown;
    return false;
  }
}

const fsyncAsync = promisify(fsync);
const NEW_FILE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
