import { createHash, type Hash } from "node:crypto";
import { type BigIntStats, readlinkSync } from "node:fs";
import { ToolError } from "@haft/core";
import { joinPath, type Snapshot, showPath } from "@haft/core/workspace";
import { MAX_HASHED_BYTES, shortHash, statHash } from "./content-hash.js";
import { sortedNames, spellName } from "./entry-name.js";
import { modeOf, typeOf } from "./entry-of.js";
import type { HeldDirectory } from "./held-directory.js";
import type { KnownContent, KnownContents } from "./known-contents.js";
import { OpenFile } from "./open-file.js";
import { rememberStarts, StartedHash } from "./started-hash.js";
import { tempOwner } from "./temp-name.js";
import type { Place } from "./walk-inside.js";

interface SnapshotOptions {
  /** Larger files are hashed, but their content is not kept. */
  readonly maxHeldBytes: number;
  /** Opens a file whose content will be shown. Without it, the file is only hashed. */
  readonly open?: (place: Place) => OpenFile;
  readonly contents?: KnownContents;
}

/** Captures the entry at a place with a hash that detects later changes. Does not follow links. */
export async function takeSnapshot(place: Place, options: SnapshotOptions): Promise<Snapshot | undefined> {
  if (place.rest.length === 0) return snapshotDirectory(place.path, place.directory);
  const name = place.rest[0] ?? "";
  if (place.rest.length > 1 || place.stats === undefined) return undefined;
  const common = { mode: modeOf(place.stats), size: Number(place.stats.size) };
  if (place.stats.isSymbolicLink()) {
    const target = readlinkSync(place.directory.at(name));
    return { ...common, type: "symlink", hash: `link:${target}`, target };
  }
  if (!place.stats.isFile()) return { ...common, type: "other", hash: statHash(place.stats) };
  const file = options.open?.(place) ?? new OpenFile(place.path, place.directory.at(name));
  try {
    return { mode: modeOf(file.stats), ...(await snapshotFile(file, options)) };
  } finally {
    file.close();
  }
}

/** Returns a file's hash, and its content if it fits in memory. */
export async function snapshotFile(
  file: OpenFile,
  { maxHeldBytes, contents }: Pick<SnapshotOptions, "maxHeldBytes" | "contents">,
): Promise<Omit<Snapshot, "mode">> {
  const { size } = file;
  if (size > maxHeldBytes) return { type: "file", size, hash: await hashOfFile(file, contents) };
  const { bytes, hash } = await readContent(file, contents);
  return { type: "file", size: bytes.length, hash, bytes };
}

/** Reads all bytes of a file and their hash. The bytes may be shared, so callers must not modify them. */
export async function readContent(
  file: OpenFile,
  contents?: KnownContents,
): Promise<{ readonly bytes: Uint8Array; readonly hash: string }> {
  const known = contents?.get(file.stats);
  if (known?.bytes !== undefined) return { bytes: known.bytes, hash: known.hash };
  const bytes = await file.read();
  const { hash, starts = [] } = known ?? hashWithStarts(bytes);
  rememberStarts(bytes, starts);
  contents?.learn(file.stats, { hash, bytes, starts });
  return { bytes, hash };
}

function hashWithStarts(bytes: Uint8Array): Pick<KnownContent, "hash" | "starts"> {
  const hash = new StartedHash(bytes.length);
  hash.update(bytes);
  const { digest, starts } = hash.finish();
  return { hash: shortHash(digest), starts };
}

/** Returns the hash of a file's content, read in chunks. For a huge file, hashes its stats. */
export async function hashOfFile(file: OpenFile, contents?: KnownContents): Promise<string> {
  if (file.size > MAX_HASHED_BYTES) return statHash(file.stats);
  const known = contents?.get(file.stats);
  if (known !== undefined) return known.hash;
  const started = new StartedHash(file.size);
  for await (const chunk of file.passingChunks()) started.update(chunk);
  const { digest, starts } = started.finish();
  const hash = shortHash(digest);
  contents?.learn(file.stats, { hash, starts });
  return hash;
}

/** Hashes the names and versions of everything below a held directory. The path is for messages only. */
export function snapshotDirectory(path: string, directory: HeldDirectory): Snapshot {
  const tally: Tally = { root: path, hash: createHash("sha256"), entries: [], bytes: 0 };
  addBelow(directory, "", tally);
  return {
    type: "directory",
    hash: tally.hash.digest("hex").slice(0, 16),
    size: tally.bytes,
    mode: modeOf(directory.stat()),
    entries: tally.entries.sort(),
  };
}

interface Tally {
  readonly root: string;
  readonly hash: Hash;
  readonly entries: string[];
  bytes: number;
}

/** Sorts each level, so that the same tree always gives the same hash. */
function addBelow(directory: HeldDirectory, parent: string, tally: Tally): void {
  for (const name of sortedNames(directory)) {
    const spelled = spellName(name);
    if (tempOwner(spelled) !== undefined) continue;
    const stats = directory.lstat(name);
    if (stats === undefined) continue;
    const path = joinPath(parent, spelled);
    if (tally.entries.push(path) > MAX_ENTRIES) throw tooMany(tally.root);
    tally.hash.update(versionOf(path, stats));
    if (stats.isFile()) tally.bytes += Number(stats.size);
    if (!stats.isDirectory()) continue;
    const below = directory.openDirectory(name);
    try {
      addBelow(below, path, tally);
    } finally {
      below.close();
    }
  }
}

/** A directory's own times change with its contents, which are hashed anyway. */
function versionOf(path: string, stats: BigIntStats): string {
  const { size, mtimeNs, ino, ctimeNs } = stats;
  const version = stats.isDirectory() ? [ino] : [size, mtimeNs, ino, ctimeNs];
  return `${JSON.stringify(path)} ${typeOf(stats)} ${version.join(" ")}\n`;
}

function tooMany(path: string): ToolError {
  return new ToolError("LIMIT_EXCEEDED", `${showPath(path)} has more than ${MAX_ENTRIES} entries below it`, {
    hint: "Delete or move it in smaller parts.",
  });
}

const MAX_ENTRIES = 50_000;
