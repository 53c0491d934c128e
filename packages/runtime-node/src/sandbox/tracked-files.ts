import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gitDirectoryOf } from "../process/linked-worktree.js";

/**
 * Returns a test for folders that contain a tracked file, from git's index. For an index that is unreadable or split,
 * every folder counts.
 */
export function trackedBelow(root: string, folders: readonly string[]): (folder: string) => boolean {
  if (folders.length === 0) return () => false;
  const tracked = new Set<string>();
  const prefixes = folders.map((folder) => `${folder}/`);
  try {
    for (const name of indexedNames(readFileSync(join(gitDirectoryOf(root), "index"))))
      for (const prefix of prefixes) if (name.startsWith(prefix)) tracked.add(prefix);
  } catch (error) {
    // No index yet, so no file was ever added.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return () => false;
    return () => true;
  }
  return (folder) => tracked.has(`${folder}/`);
}

/** Returns whether git tracks a file of a kind. For an unreadable index, returns true. */
export function tracksAny(root: string, isOfKind: (path: string) => boolean): boolean {
  try {
    for (const name of indexedNames(readFileSync(join(gitDirectoryOf(root), "index"))))
      if (isOfKind(name)) return true;
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** Returns the names in an index of version 2, 3 or 4. Throws for anything else. */
function indexedNames(index: Buffer): readonly string[] {
  const version = index.readUInt32BE(4);
  if (index.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4)
    throw new Error("unknown index");
  // An index does not say how long its object ids are. With the wrong length it does not add up.
  const names = namesWithIds(index, SHA1_BYTES) ?? namesWithIds(index, SHA256_BYTES);
  if (names === undefined) throw new Error("damaged index");
  return names;
}

const SHA1_BYTES = 20;
const SHA256_BYTES = 32;
const HEADER_BYTES = 12;
/** Times, device, inode, mode, owner and size stand before the id of an entry, its flags after it. */
const ID_AT = 40;
const EXTENDED = 0x4000;

function namesWithIds(index: Buffer, idBytes: number): readonly string[] | undefined {
  const isCompressed = index.readUInt32BE(4) === 4;
  const names: string[] = [];
  let at = HEADER_BYTES;
  for (let count = index.readUInt32BE(8); count > 0; count -= 1) {
    const flags = at + ID_AT + idBytes;
    if (flags + 2 > index.length) return undefined;
    const start = flags + ((index.readUInt16BE(flags) & EXTENDED) === 0 ? 2 : 4);
    const name = isCompressed
      ? compressedName(index, start, names.at(-1) ?? "")
      : plainName(index, { start, at });
    if (name === undefined) return undefined;
    names.push(name.text);
    at = name.next;
  }
  if (!endsWithExtensions(index, at, idBytes)) return undefined;
  return names.map((name) => Buffer.from(name, "latin1").toString("utf8"));
}

/** Extensions follow the entries, and a checksum ends the file. Throws where one says that entries are elsewhere. */
function endsWithExtensions(index: Buffer, start: number, idBytes: number): boolean {
  let at = start;
  while (at + idBytes < index.length) {
    if (at + 8 > index.length) return false;
    if (index.toString("latin1", at, at + 4) === "link") throw new Error("a part of the index is elsewhere");
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at + idBytes === index.length;
}

/** One character a byte, because names need not be UTF-8. */
interface IndexedName {
  readonly text: string;
  readonly next: number;
}

/** Padded with one to eight zero bytes, so that the length of an entry is a multiple of eight. */
function plainName(index: Buffer, { start, at }: { start: number; at: number }): IndexedName | undefined {
  const end = index.indexOf(0, start);
  if (end < 0) return undefined;
  return { text: index.toString("latin1", start, end), next: at + Math.floor((end - at + 8) / 8) * 8 };
}

/** Says how many bytes of the previous name to drop, and what to append. */
function compressedName(index: Buffer, start: number, before: string): IndexedName | undefined {
  let at = start;
  let byte = index[at] ?? 0;
  let drop = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = index[at] ?? 0;
    drop = ((drop + 1) << 7) | (byte & 0x7f);
  }
  const end = index.indexOf(0, at + 1);
  if (end < 0 || drop > before.length) return undefined;
  return {
    text: before.slice(0, before.length - drop) + index.toString("latin1", at + 1, end),
    next: end + 1,
  };
}
