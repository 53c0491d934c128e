import { countOf } from "@haft/text";
import { PatternError } from "@haft/text/path-rules";
import type { SearchOutcome } from "../engine/search/search-outcome.js";
import type { SearchRequest } from "../engine/search/search-request.js";
import type { SearchPlace, WorkspaceSearch } from "../workspace-search/workspace-search.js";
import { type GrepArgs, isCaseSensitive } from "./grep-schema.js";

interface EmptySearch {
  readonly args: GrepArgs;
  readonly request: SearchRequest;
  readonly outcome: SearchOutcome;
  /** Duration of the search without results. */
  readonly tookMs: number;
}

/** After a search without results, tries small changes to the call and reports what they would find. */
export async function hintsForEmptyResult(
  search: EmptySearch,
  engine: WorkspaceSearch,
  place: SearchPlace,
): Promise<string[]> {
  const hints: string[] = [];
  const endsAt = performance.now() + budgetMs(search);
  const trial = async (variant: SearchRequest): Promise<Found> => {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) return NOT_TRIED;
    return engine.search(asTrial(variant, leftMs), place).catch(notTriedIfRefused);
  };
  const tryOut = async ({ request: variant, advice }: Variant, among?: readonly string[]) => {
    const found = await trial({ ...variant, among });
    if (found.totalLines > 0) hints.push(`${amountOf(found)} with ${advice}.`);
  };
  const widest = widestOf(search);
  const among = widest && filesOf(await trial(widest));
  const isInVain = among?.length === 0;
  if (!isInVain) for (const variant of variantsOf(search)) await tryOut(variant, among);
  for (const variant of asPlainText(search)) await tryOut(variant);
  if (!isInVain && hints.length === 0) for (const variant of everywhere(search)) await tryOut(variant, among);
  return hints;
}

/**
 * Combines all changes except plain text: each alone finds matches in the same files at most, or none. Only for few
 * files, where there is time for one more search.
 */
function widestOf(search: EmptySearch): SearchRequest | undefined {
  const { request, outcome } = search;
  if (outcome.searchedFiles >= FEW_FILES || variantsOf(search).length < 2) return undefined;
  const walk = { ...request.walk, includeHidden: true, includeIgnored: true };
  return { ...request, walk, pattern: { ...request.pattern, ignoreCase: true } };
}

/** Returns all files with a match; undefined if there may be more. */
function filesOf({ files, totalFiles, incomplete }: Found): readonly string[] | undefined {
  if (incomplete !== undefined || files.length < totalFiles) return undefined;
  return files.map(({ path }) => path);
}

/** Returns the time for hints: after a long search, at most half as long again. */
function budgetMs({ outcome, tookMs }: EmptySearch): number {
  return outcome.searchedFiles < FEW_FILES ? FEW_FILES_MS : tookMs / 2;
}

const FEW_FILES = 2_000;
const FEW_FILES_MS = 250;

function amountOf({ totalLines, totalFiles, incomplete }: Found): string {
  const amount = `${countOf(totalLines, "match")} in ${countOf(totalFiles, "file")}`;
  return incomplete === undefined ? amount : `at least ${amount}`;
}

type Found = Pick<SearchOutcome, "files" | "totalLines" | "totalFiles" | "incomplete">;

const NOT_TRIED: Found = { files: [], totalLines: 0, totalFiles: 0, incomplete: "deadline" };

/** A pattern at the size limit may exceed it when case is ignored; there is then no hint. */
function notTriedIfRefused(error: unknown): Found {
  if (error instanceof PatternError) return NOT_TRIED;
  throw error;
}

interface Variant {
  readonly request: SearchRequest;
  readonly advice: string;
}

function asPlainText({ args, request }: EmptySearch): readonly Variant[] {
  if (args.literal || !/[\\^$.|?*+()[\]{}]/.test(args.pattern)) return [];
  const pattern = { ...request.pattern, literal: true, multiline: args.pattern.includes("\n") };
  return [{ request: { ...request, pattern }, advice: "literal:true (the pattern as plain text)" }];
}

function variantsOf({ args, request, outcome }: EmptySearch): readonly Variant[] {
  const { pattern, walk } = request;
  const { skipped } = outcome;
  const variants: Variant[] = [];
  if (isCaseSensitive(args))
    variants.push({
      request: { ...request, pattern: { ...pattern, ignoreCase: true } },
      advice: "case_sensitive:false",
    });
  if (skipped.ignored > 0)
    variants.push({
      request: { ...request, walk: { ...walk, includeIgnored: true } },
      advice: "include_ignored:true",
    });
  if (skipped.hidden > 0)
    variants.push({
      request: { ...request, walk: { ...walk, includeHidden: true } },
      advice: "include_hidden:true",
    });
  return variants;
}

/** Finds what is both hidden and ignored, which neither variant alone would find. */
function everywhere({ request, outcome }: EmptySearch): readonly Variant[] {
  const { walk } = request;
  const { skipped } = outcome;
  if (walk.includeHidden || walk.includeIgnored || skipped.ignored + skipped.hidden === 0) return [];
  return [
    {
      request: { ...request, walk: { ...walk, includeHidden: true, includeIgnored: true } },
      advice: "include_hidden:true and include_ignored:true",
    },
  ];
}

function asTrial(request: SearchRequest, leftMs: number): SearchRequest {
  const { walk, limits } = request;
  return {
    ...request,
    offset: 0,
    limit: FILES_TOLD_APART,
    filesOnly: true,
    follows: true,
    walk: { ...walk, maxEntries: TRIAL_ENTRIES },
    limits: { ...limits, callMs: Math.min(limits.callMs, leftMs) },
  };
}

const TRIAL_ENTRIES = 50_000;
/** If more files have a match, each variant searches all of them. */
const FILES_TOLD_APART = 200;
