import { PatternError } from "@haft/text/path-rules";
import { countOf } from "../describe-count.js";
import type { SearchOutcome } from "../engine/search/search-outcome.js";
import type { SearchRequest } from "../engine/search/search-request.js";
import type { SearchPlace, WorkspaceSearch } from "../workspace-search/workspace-search.js";
import { type GrepArgs, isCaseSensitive } from "./grep-schema.js";

export interface EmptySearch {
  readonly args: GrepArgs;
  readonly request: SearchRequest;
  readonly outcome: SearchOutcome;
  /** How long it took to find nothing. */
  readonly tookMs: number;
}

/** Nothing was found: tries what a little change to the call would find, and says so. */
export async function hintsForNothing(
  search: EmptySearch,
  engine: WorkspaceSearch,
  place: SearchPlace,
): Promise<string[]> {
  const { args, request, outcome } = search;
  const hints: string[] = [];
  const endsAt = performance.now() + budgetMs(search);
  const tryOut = async ({ request: variant, advice }: Variant) => {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) return;
    const found = await engine.search(asTrial(variant, leftMs), place).catch(nothingIfRefused);
    if (found.totalLines > 0) hints.push(`${amountOf(found)} with ${advice}.`);
  };
  for (const variant of variantsOf(args, request, outcome)) await tryOut(variant);
  if (hints.length === 0) for (const variant of everywhere(request, outcome)) await tryOut(variant);
  return hints;
}

/** Advice must not cost more than the search: where that was long, it is given half as long again. */
function budgetMs({ outcome, tookMs }: EmptySearch): number {
  return outcome.searchedFiles < FEW_FILES ? FEW_FILES_MS : tookMs / 2;
}

const FEW_FILES = 2_000;
const FEW_FILES_MS = 250;

function amountOf({ totalLines, totalFiles, incomplete }: Found): string {
  const amount = `${countOf(totalLines, "match")} in ${countOf(totalFiles, "file")}`;
  return incomplete === undefined ? amount : `at least ${amount}`;
}

type Found = Pick<SearchOutcome, "totalLines" | "totalFiles" | "incomplete">;

/** A pattern at the limit of size may pass it when case is ignored: then there is nothing to advise. */
function nothingIfRefused(error: unknown): Found {
  if (error instanceof PatternError) return { totalLines: 0, totalFiles: 0 };
  throw error;
}

interface Variant {
  readonly request: SearchRequest;
  readonly advice: string;
}

function variantsOf(args: GrepArgs, request: SearchRequest, { skipped }: SearchOutcome): readonly Variant[] {
  const { pattern, walk } = request;
  const variants: Variant[] = [];
  if (isCaseSensitive(args))
    variants.push({
      request: { ...request, pattern: { ...pattern, ignoreCase: true } },
      advice: "case_sensitive:false",
    });
  if (!args.literal && /[\\^$.|?*+()[\]{}]/.test(args.pattern))
    variants.push({
      request: { ...request, pattern: { ...pattern, literal: true, multiline: args.pattern.includes("\n") } },
      advice: "literal:true (the pattern as plain text)",
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

/** What is hidden inside of what is ignored, or the other way round, neither alone would find. */
function everywhere(request: SearchRequest, { skipped }: SearchOutcome): readonly Variant[] {
  const { walk } = request;
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
    limit: 1,
    filesOnly: true,
    walk: { ...walk, maxEntries: TRIAL_ENTRIES },
    limits: { ...limits, callMs: Math.min(limits.callMs, leftMs) },
  };
}

const TRIAL_ENTRIES = 50_000;
