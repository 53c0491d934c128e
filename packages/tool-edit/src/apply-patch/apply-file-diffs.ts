import { applyEntangledDiffs } from "./apply-entangled-diffs.js";
import { type Attempt, changeFile, type PatchContext, type PatchedFile } from "./change-file.js";
import { asWritten } from "./converted-patch.js";
import { invalidPatch } from "./invalid-patch.js";
import { foldersOf, type NamedDiff, nameDiff, placing } from "./named-diff.js";
import type { UnifiedPatch } from "./parse-patch.js";
import {
  assertEmpty,
  contentAfter,
  createContent,
  patchedFile,
  readContent,
  replaceContent,
  textOf,
} from "./patched-content.js";

/** Applies the files of a unified diff as `git apply` does. `attempt` collects the failures of single files. */
export async function applyFileDiffs(
  patch: UnifiedPatch,
  context: PatchContext,
  attempt: Attempt,
): Promise<readonly PatchedFile[]> {
  const files = await asWritten(patch, context);
  const isZeroContext = !files.some(({ hunks }) =>
    hunks.some(({ lines }) => lines.some(({ kind }) => kind === "keep")),
  );
  const diffs: NamedDiff[] = [];
  for (const file of files) {
    await context.pace.breathe();
    diffs.push(await nameDiff(file, { context, isZeroContext }));
  }
  assertNoneBelowLinks(diffs);
  if (areEntangled(diffs)) return applyEntangledDiffs(diffs, context, attempt);
  const patched: PatchedFile[] = [];
  for (const diff of diffs) {
    await context.pace.breathe();
    await attempt(diff.to, async () => {
      patched.push(await applyDiff(diff, context));
    });
  }
  return patched;
}

/** As in git, rejects changes below a link that the patch creates or changes. */
function assertNoneBelowLinks(diffs: readonly NamedDiff[]): void {
  const written = diffs.filter(({ kind }) => kind !== "delete");
  const links = new Set(written.filter(({ isLink }) => isLink).map(({ to }) => to));
  const below = written.find(({ to }) => foldersOf(to).some((folder) => links.has(folder)));
  if (below !== undefined)
    throw invalidPatch(`${below.to} is below a symbolic link that the patch changes`, below.line);
}

/**
 * Returns whether files must be computed together: a link or a renamed, copied, created or deleted file occurs twice,
 * or a file and a folder replace each other.
 */
function areEntangled(diffs: readonly NamedDiff[]): boolean {
  const seen = new Map<string, boolean>();
  const isTwice = diffs.some(({ kind, from, to, isLink }) =>
    [...new Set([from, to])].some((path) => {
      const wasPlain = seen.get(path);
      const isPlain = kind === "modify" && !isLink;
      seen.set(path, isPlain && wasPlain !== false);
      return wasPlain === false || (wasPlain === true && !isPlain);
    }),
  );
  return isTwice || [...seen.keys()].some((path) => foldersOf(path).some((folder) => seen.has(folder)));
}

async function applyDiff(diff: NamedDiff, context: PatchContext): Promise<PatchedFile> {
  const { kind, from, to, mode, hunks, isLink } = diff;
  if (hunks.length > 0 && !isLink && (kind === "modify" || kind === "rename")) {
    const moveTo = kind === "rename" ? to : undefined;
    return changeFile({ path: from, moveTo, mode, ...placing(diff, context) }, context);
  }
  if (kind === "rename" && hunks.length === 0 && mode === undefined) {
    await context.workspace.move(from, to);
    return patchedFile(diff, { before: "", after: "" });
  }
  const before = kind === "create" ? undefined : await readContent(diff, context);
  const after = await contentAfter(before, diff, context);
  if (kind === "delete") assertEmpty(after, diff);
  if (kind === "delete" || kind === "rename") await context.workspace.remove(from);
  if (kind === "modify") await replaceContent(from, after, context);
  else if (kind !== "delete") await createContent(to, after, context);
  return patchedFile(diff, { before: textOf(before), after: textOf(after) });
}
