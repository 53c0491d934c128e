import { ToolError } from "@haft/core";
import type { Attempt, PatchContext, PatchedFile } from "./change-file.js";
import { foldersOf, type NamedDiff } from "./named-diff.js";
import {
  asHunksSee,
  assertEmpty,
  contentAfter,
  createContent,
  type PatchedContent,
  patchedFile,
  readContent,
  replaceContent,
  textOf,
} from "./patched-content.js";

/**
 * Applies diffs whose files depend on each other, such as two files that swap their names. As in git, renames and
 * copies read the files as they were before the patch, and everything is computed before anything is written.
 */
export async function applyEntangledDiffs(
  diffs: readonly NamedDiff[],
  context: PatchContext,
  attempt: Attempt,
): Promise<readonly PatchedFile[]> {
  const results: Results = new Map();
  const links = new Set<string>();
  const goes = new Set(
    diffs.filter(({ kind }) => kind === "rename" || kind === "delete").map(({ from }) => from),
  );
  const patched: PatchedFile[] = [];
  for (const diff of diffs) {
    await context.pace.breathe();
    await attempt(diff.to, async () => {
      await assertFree(diff, { results, goes, context });
      const before = await sourceOf(diff, results, context);
      const after = await contentAfter(before, diff, context);
      if (diff.kind === "delete") assertEmpty(after, diff);
      if (before?.type === "link" && diff.kind !== "copy") links.add(diff.from);
      record(results, diff, after);
      patched.push(patchedFile(diff, { before: textOf(before), after: textOf(after) }));
    });
  }
  await write({ results, links }, context);
  return patched;
}

/** The content of each path after the patch; undefined if it is deleted. */
type Results = Map<string, PatchedContent | undefined>;

interface Planned {
  readonly results: Results;
  /** Symbolic links that the patch removes, moves or replaces. */
  readonly links: ReadonlySet<string>;
}

async function assertFree(
  { kind, to }: NamedDiff,
  { results, goes, context }: { results: Results; goes: ReadonlySet<string>; context: PatchContext },
): Promise<void> {
  if (kind === "modify" || kind === "delete") return;
  const isTaken = results.has(to)
    ? results.get(to) !== undefined
    : !isFreed(to, goes) && (await context.workspace.exists(to));
  if (isTaken) throw new ToolError("ALREADY_EXISTS", `${to} already exists`);
}

/**
 * Returns whether the patch frees the path: it removes the file, a file that must become a folder, or files in a folder
 * that may become empty.
 */
function isFreed(path: string, goes: ReadonlySet<string>): boolean {
  return (
    [path, ...foldersOf(path)].some((name) => goes.has(name)) ||
    [...goes].some((name) => name.startsWith(`${path}/`))
  );
}

async function sourceOf(
  diff: NamedDiff,
  results: Results,
  context: PatchContext,
): Promise<PatchedContent | undefined> {
  const { kind, from } = diff;
  if (kind === "create") return undefined;
  if (kind === "rename" || kind === "copy" || !results.has(from)) return readContent(diff, context);
  const known = results.get(from);
  if (known !== undefined) return asHunksSee(known, diff);
  throw new ToolError("FILE_NOT_FOUND", `${from} is deleted or renamed earlier in the patch`);
}

function record(results: Results, { kind, from, to }: NamedDiff, after: PatchedContent): void {
  if (kind === "delete") results.set(from, undefined);
  else results.set(to, after);
  if (kind === "rename" && !results.has(from)) results.set(from, undefined);
}

/** Removes first, so that a name is free before another file takes it, and so that no write follows a link. */
async function write({ results, links }: Planned, context: PatchContext): Promise<void> {
  const { workspace } = context;
  for (const [path, result] of results) {
    await context.pace.breathe();
    const isReplaced = result?.type === "bytes" || (result?.type === "text" && !isNew(result));
    if (links.has(path) || (!isReplaced && (await isFile(path, context)))) await workspace.remove(path);
  }
  for (const [path, result] of results) {
    if (result === undefined) continue;
    await context.pace.breathe();
    await removeEmptyFolder(path, context);
    const put = (await workspace.exists(path)) ? replaceContent : createContent;
    await put(path, result, context);
  }
}

/** A file that the patch creates has nothing of the one that it deletes: neither its mode nor its encoding. */
function isNew(content: Extract<PatchedContent, { type: "text" }>): boolean {
  return content.format === undefined;
}

async function isFile(path: string, { workspace }: PatchContext): Promise<boolean> {
  return (await workspace.exists(path)) && (await workspace.stat(path)).type !== "directory";
}

async function removeEmptyFolder(path: string, context: PatchContext): Promise<void> {
  const { workspace } = context;
  if (!(await workspace.exists(path)) || (await isFile(path, context))) return;
  for await (const { type } of workspace.walk(path, { includeHidden: true, includeIgnored: true }))
    if (type !== "directory") throw new ToolError("ALREADY_EXISTS", `${path} already exists`);
  await workspace.remove(path, { recursive: true });
}
