import type { FileChange, KeptState, Snapshot } from "@haft/core";
import type { JournalledChange, ReplacedState } from "../journal/change-record.js";
import { atEntry } from "./at-entry.js";
import type { CommitParts } from "./commit-parts.js";

export interface KeptChange {
  readonly journalled: JournalledChange;
  readonly storedBytes: number;
}

export interface KeepOptions {
  /** The name in the trash that this change may use. */
  readonly trashKey: string;
  readonly durable: boolean;
}

/** Puts away what a change will destroy, and gives the change as it goes to the journal. */
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
  const journalled = { ...describe(change, parts.newFileMode), ...kept.where, ...trash };
  return { journalled, storedBytes: kept.storedBytes + trashedBytes(change) };
}

function trashedBytes(change: FileChange): number {
  if (change.kind === "delete") return change.before.size;
  return goesToTrash(change) && change.kind === "move" ? (change.replaces?.size ?? 0) : 0;
}

/** No rename puts a directory in a file's place: the file has to go first. What is no file has no content to keep. */
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
  // Too large to be held: the file itself is kept, under a second name.
  await atEntry(jail, path, (entry) => state.trash.keep(entry, trashKey));
  return { where: { trash: trashKey }, storedBytes: lost.size };
}

// Packing takes longer than anything else a commit does; a second name for the file costs nothing.
const MAX_BLOB_BYTES = 1024 * 1024;
const NOTHING = { where: {}, storedBytes: 0 };

function describe(change: FileChange, newFileMode: number): JournalledChange {
  const { kind, path } = change;
  if (change.kind === "create") {
    const { after } = change;
    if (after.type === "kept") return { kind, path, ...describeKept(after) };
    if (after.type === "directory") return { kind, path, type: "directory" };
    if (after.type === "symlink")
      return { kind, path, type: "symlink", afterHash: `link:${after.target}`, target: after.target };
    return { kind, path, type: "file", afterHash: after.hash, mode: after.mode ?? newFileMode };
  }
  const before = {
    type: change.before.type,
    beforeHash: change.before.hash,
    beforeMode: change.before.mode,
  };
  if (change.kind === "delete") return { kind, path, ...before };
  if (change.kind === "modify") {
    const { after } = change;
    if (after.type === "kept") return { kind, path, ...before, ...describeKept(after) };
    return { kind, path, ...before, afterHash: after.hash, mode: after.mode ?? change.before.mode };
  }
  const replaces = change.replaces === undefined ? {} : { replaces: replacedState(change.replaces) };
  return { kind, path, from: change.from, ...before, afterHash: change.before.hash, ...replaces };
}

function describeKept({
  key,
  was,
}: KeptState): Pick<JournalledChange, "type" | "mode" | "kept" | "afterHash"> {
  const { type, mode, hash } = was;
  return { type, mode, kept: key, ...(hash === "" ? {} : { afterHash: hash }) };
}

function replacedState({ type, hash, mode, target }: Snapshot): ReplacedState {
  return { type, hash, mode, ...(target === undefined ? {} : { target }) };
}
