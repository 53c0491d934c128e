import { excludedFolderAbove, isExcludedFolder } from "../default-excludes.js";
import type { FileListing } from "../engine/walk/file-listing.js";
import { emptyLedger, mergeLedgers, noteSkip, type SkipLedger } from "../engine/walk/skip-ledger.js";
import { DEFAULT_WALK, type WalkOptions } from "../engine/walk/walk-options.js";
import { resolveGlob } from "../resolve-glob.js";
import type { SearchPlace, WorkspaceSearch } from "../workspace-search/workspace-search.js";
import type { GlobBranch, GlobPlan } from "./glob-plan.js";
import type { GlobArgs, GlobResult } from "./glob-schema.js";

interface GlobWalk {
  readonly args: GlobArgs;
  readonly plan: GlobPlan;
  readonly base: string;
  readonly maxDepth: number;
  readonly callMs: number;
}

interface GlobbedFiles {
  readonly paths: ReadonlySet<string>;
  readonly skipped: SkipLedger;
  readonly incomplete: boolean;
  readonly excluded: GlobResult["excluded"];
  /** Whether there was no time to look at everything that was left out. */
  readonly excludedIncomplete: boolean;
}

/** Walks every branch of a plan, and a little of what was left out, to report what is there. */
export async function globFiles(
  walk: GlobWalk,
  engine: WorkspaceSearch,
  place: SearchPlace,
): Promise<GlobbedFiles> {
  const paths = new Set<string>();
  const leftOut = new Map<string, string>();
  let skipped = emptyLedger();
  let incomplete = false;
  let excludedIncomplete = false;
  for (const branch of walk.plan.branches) {
    if (depthLeft(walk, branch) < 1) {
      noteSkip(skipped, "tooDeep", branch.folder);
      continue;
    }
    const leaveOut = (folder: string) => !walk.args.include_ignored && isExcludedFolder(folder);
    const listing = await engine.list({ walk: walkOf(walk, branch), leaveOut, callMs: walk.callMs }, place);
    for (const path of listing.files) if (fits(path, branch, walk.plan)) paths.add(path);
    skipped = mergeLedgers(skipped, listing.skipped);
    incomplete ||= listing.incomplete;
    if (incomplete) continue;
    const left = await leftOutFiles(walk, branch, { engine, place, leftOut: listing.leftOut });
    excludedIncomplete ||= left.incomplete;
    for (const path of left.files) leftOut.set(path, whereLeftOut(path, branch));
  }
  // One pattern may ask for what another leaves out.
  for (const path of paths) leftOut.delete(path);
  return { paths, skipped, incomplete, excluded: countsOf(leftOut.values()), excludedIncomplete };
}

function whereLeftOut(path: string, { folder }: GlobBranch): string {
  const excluded = excludedFolderAbove(path, folder);
  return excluded === undefined ? IGNORED_FILES : `${excluded}/`;
}

function countsOf(folders: Iterable<string>): GlobResult["excluded"] {
  const counts = new Map<string, number>();
  for (const folder of folders) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return [...counts].map(([folder, count]) => ({ folder, count })).sort(byCount);
}

/** The label for files that an ignore file excludes one by one. */
export const IGNORED_FILES = "ignored files";

const TRIAL_ENTRIES = 20_000;
const TRIAL_MS = 500;

interface LeftOutContext {
  readonly engine: WorkspaceSearch;
  readonly place: SearchPlace;
  readonly leftOut: FileListing["leftOut"];
}

async function leftOutFiles(
  walk: GlobWalk,
  branch: GlobBranch,
  { engine, place, leftOut }: LeftOutContext,
): Promise<Pick<FileListing, "files" | "incomplete">> {
  const { files, folders: starts } = leftOut;
  const options = { ...walkOf(walk, branch), includeIgnored: true, maxEntries: TRIAL_ENTRIES };
  const request = { walk: options, starts, leaveOut: () => false, callMs: TRIAL_MS };
  const inFolders = starts.length === 0 ? undefined : await engine.list(request, place);
  return {
    files: [...files, ...(inFolders?.files ?? [])].filter((path) => fits(path, branch, walk.plan)),
    incomplete: inFolders?.incomplete ?? false,
  };
}

/** A requested depth counts from `path`, wherever the walk starts. */
function depthLeft({ args, base, maxDepth }: GlobWalk, { folder }: GlobBranch): number {
  if (args.max_depth === undefined) return maxDepth;
  const depthOf = (path: string) => (path === "" ? 0 : path.split("/").length);
  return maxDepth - (depthOf(folder) - depthOf(base));
}

function walkOf(walk: GlobWalk, branch: GlobBranch): WalkOptions {
  const { args, plan, base } = walk;
  return {
    ...DEFAULT_WALK,
    folder: branch.folder,
    includeHidden: args.include_hidden || plan.namesHidden,
    includeIgnored: args.include_ignored,
    maxDepth: depthLeft(walk, branch),
    exclude: args.exclude.flatMap((glob) => resolveGlob(base, glob)),
  };
}

function fits(path: string, branch: GlobBranch, plan: GlobPlan): boolean {
  return branch.isWanted(path) && !plan.isRefused(path);
}

function byCount(left: { count: number; folder: string }, right: { count: number; folder: string }): number {
  return right.count - left.count || (left.folder < right.folder ? -1 : 1);
}
