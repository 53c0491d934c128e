import { relativePath } from "@haft/core/workspace";
import type { TextPlace } from "@haft/text";
import { seesMark } from "./byte-order-mark.js";
import type { FileChangePlan, PatchContext } from "./change-file.js";
import { type FileDiff, oldLines, placeOfHunks } from "./patch.js";
import { placeDiffHunks } from "./place-diff-hunks.js";

/** One file of a unified diff, under its names in the workspace. */
export interface NamedDiff extends Pick<FileDiff, "hunks" | "mode" | "line" | "lostReturns"> {
  readonly kind: Exclude<FileDiff["kind"], "create-or-modify">;
  readonly from: string;
  readonly to: string;
  readonly isLink: boolean;
  readonly isZeroContext: boolean;
}

/** Chooses between the possible names of a file: the first that exists, or the first for a new file. */
export async function nameDiff(
  diff: FileDiff,
  { context, isZeroContext }: { context: PatchContext; isZeroContext: boolean },
): Promise<NamedDiff> {
  const { workspace } = context;
  const named = diff.kind === "create" ? (diff.to[0] ?? "") : await existing(diff.from, context);
  const from = relativePath(named, workspace);
  const isSame = diff.kind !== "rename" && diff.kind !== "copy";
  const to = isSame ? from : relativePath(await existing(diff.to, context), workspace);
  const kind =
    diff.kind !== "create-or-modify" ? diff.kind : (await workspace.exists(from)) ? "modify" : "create";
  const isLink = diff.isLink ?? (await isOfLink(diff, { from, context }));
  return { ...diff, kind, from, to, isLink, isZeroContext };
}

/** Without a mode, a diff belongs to a link if it changes exactly the link's target. */
async function isOfLink(
  { hunks }: FileDiff,
  { from, context }: { from: string; context: PatchContext },
): Promise<boolean> {
  const [first, ...others] = hunks.flatMap(oldLines);
  if (first?.isOpen !== true || others.length > 0) return false;
  return (await linkTarget(from, context)) === first.text;
}

async function existing(names: readonly string[], context: PatchContext): Promise<string> {
  const [first = ""] = names;
  if (names.length === 1) return first;
  for (const name of names)
    if ((await context.workspace.exists(name)) || (await linkTarget(name, context)) !== undefined)
      return name;
  return first;
}

/** Returns the target of a link, even if nothing exists there. */
function linkTarget(path: string, { links }: PatchContext): Promise<string | undefined> {
  return links.targetOf(path).catch(() => undefined);
}

/** Determines how the hunks of a diff are placed. */
export function placing(
  { hunks, isZeroContext, kind, lostReturns = false }: NamedDiff,
  { pace }: PatchContext,
): Pick<FileChangePlan, "namesMark" | "place" | "placeIn"> {
  return {
    namesMark: seesMark({ hunks, isZeroContext }),
    place: placeOf(hunks, isZeroContext),
    placeIn: ({ text, linesAbove = 0 }) =>
      placeDiffHunks(text, hunks, { linesAbove, isNew: kind === "create", isZeroContext, lostReturns, pace }),
  };
}

/** A hunk bound to the end of the file must know where that is. */
function placeOf(hunks: NamedDiff["hunks"], isZeroContext: boolean): TextPlace | undefined {
  const isBound = hunks.some(
    ({ lines }) =>
      lines.some(({ isOpen }) => isOpen === true) || (!isZeroContext && lines.at(-1)?.kind !== "keep"),
  );
  return isBound ? undefined : placeOfHunks(hunks);
}

/** Returns the parent folders of a path. */
export function foldersOf(path: string): readonly string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}
