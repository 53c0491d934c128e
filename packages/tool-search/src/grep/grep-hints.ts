import { PatternError } from "@haft/text/path-rules";
import { countOf } from "../describe-count.js";
import type { SearchOutcome } from "../engine/search/search-outcome.js";
import type { SearchRequest } from "../engine/search/search-request.js";
import type { SearchPlace, WorkspaceSearch } from "../workspace-search/workspace-search.js";
import { type GrepArgs, isCaseSensitive } from "./grep-schema.js";

const TRIAL_MS = 2_000;
const TRIAL_ENTRIES = 50_000;

export interface EmptySearch {
  readonly args: GrepArgs;
  readonly request: SearchRequest;
  readonly outcome: SearchOutcome;
}

/** Nothing was found: tries what a little change to the call would find, and says so. */
export async function hintsForNothing(
  { args, request, outcome }: EmptySearch,
  engine: WorkspaceSearch,
  place: SearchPlace,
): Promise<string[]> {
  const hints: string[] = [];
  const tryOut = async ({ request: variant, advice }: Variant) => {
    const { totalLines, totalFiles } = await engine.search(asTrial(variant), place).catch(nothingIfRefused);
    if (totalLines > 0)
      hints.push(`${countOf(totalLines, "match")} in ${countOf(totalFiles, "file")} with ${advice}.`);
  };
  for (const variant of variantsOf(args, request, outcome)) await tryOut(variant);
  if (hints.length === 0) for (const variant of everywhere(request, outcome)) await tryOut(variant);
  return hints;
}

/** A pattern at the limit of size may pass it when case is ignored: then there is nothing to advise. */
function nothingIfRefused(error: unknown): Pick<SearchOutcome, "totalLines" | "totalFiles"> {
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

function asTrial(request: SearchRequest): SearchRequest {
  const { walk, limits } = request;
  return {
    ...request,
    offset: 0,
    limit: 1,
    filesOnly: true,
    walk: { ...walk, maxEntries: TRIAL_ENTRIES },
    limits: { ...limits, callMs: Math.min(limits.callMs, TRIAL_MS) },
  };
}
