import { type TextFormat, unifiedDiff } from "@haft/text";
import { decodedText } from "./decoded-texts.js";
import type { FileChange, FileState, KeptState, MoveChange, NewState, Snapshot } from "./file-change.js";
import { diffOfContent } from "./spliced-content.js";
import { SplicedFile } from "./spliced-file.js";

/** A change as people, models and programs see it; the outside form of `FileChange`. */
export interface ChangeSummary {
  readonly kind: FileChange["kind"];
  readonly path: string;
  readonly from?: string;
  readonly diff?: string;
  readonly beforeHash?: string;
  readonly afterHash?: string;
}

/** Always made from the recorded bytes, so what is shown is what is applied. */
export function describeChange(change: FileChange): ChangeSummary {
  let summary = described.get(change);
  if (summary === undefined) {
    summary = summarise(change);
    described.set(change, summary);
  }
  return summary;
}

/** The same change is shown in the request, in the events and in the result; its diff is made once. */
const described = new WeakMap<FileChange, ChangeSummary>();

function summarise(change: FileChange): ChangeSummary {
  const before = change.kind === "create" ? undefined : change.before.hash;
  const after = afterHash(change);
  const diff = diffOf(change);
  return {
    kind: change.kind,
    path: change.path,
    ...(change.kind === "move" ? { from: change.from } : {}),
    ...(diff === undefined ? {} : { diff }),
    ...(before === undefined ? {} : { beforeHash: before }),
    ...(after === undefined ? {} : { afterHash: after }),
  };
}

function afterHash(change: FileChange): string | undefined {
  if (change.kind === "move") return change.before.hash;
  if (change.kind === "delete") return undefined;
  const after = change.after.type === "kept" ? change.after.was : change.after;
  return after.type === "file" ? after.hash : undefined;
}

function diffOf(change: FileChange): string | undefined {
  switch (change.kind) {
    case "move":
      return moveNote(change);
    case "delete":
      return change.before.type === "file"
        ? fileDiff(change.path, change.before, undefined)
        : entryNote(change.before);
    case "create":
      if (change.after.type === "kept") return keptNote(change.after);
      return change.after.type === "file"
        ? fileDiff(change.path, undefined, change.after)
        : entryNote(change.after);
    case "modify":
      if (change.after.type === "kept") return keptNote(change.after);
      return (
        fileDiff(change.path, change.before, change.after) + modeNote(change.before.mode, change.after.mode)
      );
  }
}

function fileDiff(
  path: string,
  before: Snapshot | undefined,
  after: FileState | Pick<Snapshot, "bytes"> | undefined,
): string {
  if (after instanceof SplicedFile && after.made.before === before?.bytes)
    return diffOfContent(after.made, { path, maxLines: ALL_LINES });
  if (before !== undefined && before.bytes === undefined && after?.bytes !== undefined)
    return unshownNote(path, before.size, after.bytes);
  const afterBytes = after?.bytes;
  const beforeText = before?.bytes && decodedText(before.bytes);
  const afterText = afterBytes && decodedText(afterBytes);
  const isBinary =
    (before !== undefined && beforeText === undefined) ||
    (afterBytes !== undefined && afterText === undefined);
  if (isBinary)
    return `Binary file ${path}: ${before?.size ?? 0} bytes -> ${afterBytes?.length ?? 0} bytes\n`;
  const sides = { path, before: beforeText?.text, after: afterText?.text };
  const diff = unifiedDiff({ ...sides, maxLines: ALL_LINES }).text;
  return diff + formatNote(beforeText?.format, afterText?.format);
}

/** Too much to be held: what replaces it is shown all the same. */
function unshownNote(path: string, size: number, bytes: Uint8Array): string {
  const note = `${path}: ${size} bytes, too many to be shown, are replaced by ${bytes.length} bytes\n`;
  const after = decodedText(bytes)?.text;
  return after === undefined
    ? note
    : note + unifiedDiff({ path, before: "", after, maxLines: ALL_LINES }).text;
}

// Whoever approves must be able to see all of it; how much is shown at once is for the one who shows it.
const ALL_LINES = Number.POSITIVE_INFINITY;

/** A move by itself changes no content; one that overwrites does. */
function moveNote({ path, before, replaces }: MoveChange): string | undefined {
  if (replaces === undefined) return undefined;
  if (replaces.type !== "file" || before.type !== "file") return `overwrites the ${replaces.type} ${path}\n`;
  return fileDiff(path, replaces, before);
}

/** What comes back is not read for it, so it is told by what it is. */
function keptNote({ was }: KeptState): string {
  const kind =
    was.type === "file" ? `file of ${was.size} bytes` : was.type === "other" ? "special file" : was.type;
  return `${kind}, put back as it was\n${entryNote(was) ?? ""}`;
}

/** What a directory or a link is, since it has no content to show. */
function entryNote(entry: Snapshot | Exclude<NewState, KeptState>): string | undefined {
  if (entry.type === "symlink") return `link -> ${entry.target}\n`;
  const below = "entries" in entry ? (entry.entries ?? []) : [];
  if (below.length === 0) return undefined;
  const more = below.length > MAX_SHOWN_ENTRIES ? `… and ${below.length - MAX_SHOWN_ENTRIES} more\n` : "";
  return `directory with ${below.length} entries:\n${below.slice(0, MAX_SHOWN_ENTRIES).join("\n")}\n${more}`;
}

const MAX_SHOWN_ENTRIES = 1_000;

/** What the text does not tell: that its bytes are not the usual ones, or no longer the same. */
function formatNote(before: TextFormat | undefined, after: TextFormat | undefined): string {
  if (after === undefined) return "";
  const is = formatName(after);
  if (before === undefined) return is === "utf-8" ? "" : `encoding ${is}\n`;
  return formatName(before) === is ? "" : `encoding ${formatName(before)} -> ${is}\n`;
}

function formatName({ encoding, bom }: TextFormat): string {
  return bom ? `${encoding} with byte order mark` : encoding;
}

function modeNote(before: number, after: number | undefined): string {
  if (after === undefined || after === before) return "";
  return `mode ${before.toString(8)} -> ${after.toString(8)}\n`;
}
