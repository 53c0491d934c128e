import { type JournalledChange, journalledChange } from "@haft/core/journal";
import type { FileChange, Snapshot } from "@haft/core/workspace";
import { atEntry } from "./at-entry.js";
import type { CommitParts } from "./commit-parts.js";

export interface KeptChange {
  readonly journalled: JournalledChange;
  readonly storedBytes: number;
}

interface KeepOptions {
  /** The trash name reserved for this change. */
  readonly trashKey: string;
  readonly durable: boolean;
}

/** Saves the content that a change will destroy. Returns the change for the journal. */
export async function keepFormer(
  parts: CommitParts,
  change: FileChange,
  options: KeepOptions,
): Promise<KeptChange> {
  const lost =
    change.kind === "modify" ? change.before : change.kind === "move" ? change.replaces : undefined;
  const kept =
    lost === undefined || goesToTrash(change)
      ? NOTHING
      : await keepContent(parts, { path: change.path, lost }, options);
  const trash = goesToTrash(change) ? { trash: options.trashKey } : {};
  const journalled = { ...journalledChange(change, parts.newFileMode), ...kept.where, ...trash };
  return { journalled, storedBytes: kept.storedBytes + trashedBytes(change) };
}

function trashedBytes(change: FileChange): number {
  if (change.kind === "delete") return change.before.size;
  return goesToTrash(change) && change.kind === "move" ? (change.replaces?.size ?? 0) : 0;
}

/**
 * Returns whether the entry moves to the trash: a rename cannot replace a file by a directory, and only files have
 * content to save.
 */
export function goesToTrash(change: FileChange): boolean {
  if (change.kind === "delete") return true;
  if (change.kind !== "move" || change.replaces === undefined) return false;
  return change.before.type === "directory" || change.replaces.type !== "file";
}

async function keepContent(
  { jail, state }: CommitParts,
  { path, lost }: { readonly path: string; readonly lost: Snapshot },
  { trashKey, durable }: KeepOptions,
): Promise<{ where: Partial<JournalledChange>; storedBytes: number }> {
  if (lost.type !== "file") return NOTHING;
  const isLinked =
    lost.size > MAX_BLOB_BYTES && (await atEntry(jail, path, (entry) => state.trash.link(entry, trashKey)));
  if (isLinked) return { where: { trash: trashKey }, storedBytes: lost.size };
  if (lost.bytes !== undefined) {
    const { name, storedBytes } = await state.blobs.put(lost.bytes, { durable });
    return { where: { beforeBlob: name }, storedBytes };
  }
  // Too large for memory: the file itself is kept, under a second name.
  await atEntry(jail, path, (entry) => state.trash.keep(entry, trashKey));
  return { where: { trash: trashKey }, storedBytes: lost.size };
}

// Compressing is the slowest part of a commit; a second name for the file costs nothing.
const MAX_BLOB_BYTES = 1024 * 1024;
const NOTHING = { where: {}, storedBytes: 0 };
