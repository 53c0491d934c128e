import { runAll, type Steps, type TextFormat, unifiedDiffSteps } from "@haft/text";
import type { Pace } from "../runtime/pace.js";
import { decodedText } from "./decoded-texts.js";
import type { FileChange, FileState, KeptState, MoveChange, NewState, Snapshot } from "./file-change.js";
import { diffOfContent } from "./spliced-content.js";
import { SplicedFile } from "./spliced-file.js";

/** The public form of `FileChange`, for users, models and programs. */
export interface ChangeSummary {
  readonly kind: FileChange["kind"];
  readonly path: string;
  readonly from?: string;
  readonly diff?: string;
  readonly beforeHash?: string;
  readonly afterHash?: string;
  /** The number of files and folders in a directory that is deleted or moved. */
  readonly entries?: number;
}

/** Describes a change from its recorded bytes, so the description always matches what is applied. */
export function describeChange(change: FileChange): ChangeSummary {
  return runAll(describe(change));
}

/** Describes many changes without blocking the thread, and caches them for `describeChange`. */
export async function describeInTurns(changes: readonly FileChange[], pace: Pace): Promise<void> {
  for (const change of changes) {
    await pace.breathe();
    await pace.run(describe(change));
  }
  await pace.breathe();
}

function* describe(change: FileChange): Steps<ChangeSummary> {
  const known = described.get(change);
  if (known !== undefined) return known;
  const summary = yield* summarise(change);
  described.set(change, summary);
  return summary;
}

/** The request, the events and the result all show the same change; its diff is computed once. */
const described = new WeakMap<FileChange, ChangeSummary>();

function* summarise(change: FileChange): Steps<ChangeSummary> {
  const before = change.kind === "create" ? undefined : change.before.hash;
  const after = afterHash(change);
  const diff = yield* diffOf(change);
  const entries = entriesIn(change);
  return {
    kind: change.kind,
    path: change.path,
    ...(change.kind === "move" ? { from: change.from } : {}),
    ...(diff === undefined ? {} : { diff }),
    ...(before === undefined ? {} : { beforeHash: before }),
    ...(after === undefined ? {} : { afterHash: after }),
    ...(entries === undefined ? {} : { entries }),
  };
}

function entriesIn(change: FileChange): number | undefined {
  if (change.kind !== "delete" && change.kind !== "move") return undefined;
  return "entries" in change.before ? change.before.entries?.length : undefined;
}

function afterHash(change: FileChange): string | undefined {
  if (change.kind === "move") return change.before.hash;
  if (change.kind === "delete") return undefined;
  const after = change.after.type === "kept" ? change.after.was : change.after;
  return after.type === "file" ? after.hash : undefined;
}

function* diffOf(change: FileChange): Steps<string | undefined> {
  switch (change.kind) {
    case "move":
      return yield* moveNote(change);
    case "delete":
      return change.before.type === "file"
        ? yield* fileDiff(change.path, change.before, undefined)
        : entryNote(change.before);
    case "create":
      if (change.after.type === "kept") return keptNote(change.after);
      return change.after.type === "file"
        ? yield* fileDiff(change.path, undefined, change.after)
        : entryNote(change.after);
    case "modify":
      if (change.after.type === "kept") return keptNote(change.after);
      return (
        (change.after.type === "file" ? yield* fileDiff(change.path, change.before, change.after) : "") +
        modeNote(change.before.mode, change.after.mode)
      );
  }
}

function* fileDiff(
  path: string,
  before: Snapshot | undefined,
  after: FileState | Pick<Snapshot, "bytes"> | undefined,
): Steps<string> {
  if (after instanceof SplicedFile && after.made.before === before?.bytes)
    return diffOfContent(after.made, { path, maxLines: ALL_LINES });
  if (before !== undefined && before.bytes === undefined && after?.bytes !== undefined)
    return yield* unshownNote(path, before.size, after.bytes);
  const afterBytes = after?.bytes;
  const beforeText = before?.bytes && decodedText(before.bytes);
  const afterText = afterBytes && decodedText(afterBytes);
  const isBinary =
    (before !== undefined && beforeText === undefined) ||
    (afterBytes !== undefined && afterText === undefined);
  if (isBinary)
    return `Binary file ${path}: ${before?.size ?? 0} bytes -> ${afterBytes?.length ?? 0} bytes\n`;
  const sides = { path, before: beforeText?.text, after: afterText?.text };
  const diff = yield* unifiedDiffSteps({ ...sides, maxLines: ALL_LINES });
  return diff.text + formatNote(beforeText?.format, afterText?.format);
}

/** Note for previous content too large to keep in memory. The new content is still shown. */
function* unshownNote(path: string, size: number, bytes: Uint8Array): Steps<string> {
  const note = `${path}: ${size} bytes, too many to be shown, are replaced by ${bytes.length} bytes\n`;
  const after = decodedText(bytes)?.text;
  if (after === undefined) return note;
  return note + (yield* unifiedDiffSteps({ path, before: "", after, maxLines: ALL_LINES })).text;
}

// An approver must be able to see the whole change; the front end decides how much to show at once.
const ALL_LINES = Number.POSITIVE_INFINITY;

/** A plain move changes no content; one that overwrites does. */
function* moveNote({ path, before, replaces }: MoveChange): Steps<string | undefined> {
  if (replaces === undefined) return undefined;
  if (replaces.type !== "file" || before.type !== "file") return `overwrites the ${replaces.type} ${path}\n`;
  return yield* fileDiff(path, replaces, before);
}

/** Restored content is not read, so the note describes its type. */
function keptNote({ was }: KeptState): string {
  const kind =
    was.type === "file" ? `file of ${was.size} bytes` : was.type === "other" ? "special file" : was.type;
  return `${kind}, put back as it was\n${entryNote(was) ?? ""}`;
}

/** Describes a directory or a link, which has no content to show. */
function entryNote(entry: Snapshot | Exclude<NewState, KeptState>): string | undefined {
  if (entry.type === "symlink") return `link -> ${entry.target}\n`;
  const below = "entries" in entry ? (entry.entries ?? []) : [];
  if (below.length === 0) return undefined;
  return `directory with ${below.length} entries:\n${below.join("\n")}\n`;
}

/** Notes an unusual encoding or line format, or a change of it, which the text does not show. */
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
