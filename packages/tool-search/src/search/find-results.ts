import { excludedGlobs, isExcludedFolder } from "../default-excludes.js";
import { comparePaths } from "../engine/search/rank-files.js";
import type { SearchOutcome } from "../engine/search/search-outcome.js";
import { DEFAULT_LIMITS, type SearchRequest } from "../engine/search/search-request.js";
import type { SkipLedger } from "../engine/walk/skip-ledger.js";
import type { WalkOptions } from "../engine/walk/walk-options.js";
import type { SearchPlace, WorkspaceSearch } from "../workspace-search/workspace-search.js";
import { type QueryTerm, queryTerms } from "./query-terms.js";
import { type ScoredFile, scoreFiles, type TermOutcome, weighTerms } from "./score-files.js";
import { bestLine } from "./score-lines.js";
import { fitName, type NameFit } from "./score-name.js";
import type { SearchArgs } from "./search-schema.js";

interface SearchContext {
  readonly args: SearchArgs;
  readonly walk: WalkOptions;
  readonly limits: SearchRequest["limits"];
}

export interface Hit {
  readonly path: string;
  readonly line?: number;
  readonly text?: string;
  /** The position of the first word in the text. */
  readonly at?: number;
  readonly score: number;
}

export interface Hits {
  /** Best first. */
  readonly hits: readonly Hit[];
  readonly searched: number;
  readonly skipped: SkipLedger;
  readonly incomplete: boolean;
}

const FILES_PER_TERM = 20_000;
const LINES_PER_FILE = 100;
/** More files than wanted are read again, because their lines may change the order. */
const READ_AT_LEAST = 40;
const NAME_THRESHOLD = 0.5;

/** Finds files whose names or lines match a query. Both scores add up. */
export async function findResults(
  setting: SearchContext,
  engine: WorkspaceSearch,
  place: SearchPlace,
): Promise<Hits> {
  const { args, walk, limits } = setting;
  const listing = await engine.list({ walk, leaveOut: isExcludedFolder, callMs: limits.callMs }, place);
  const terms = queryTerms(args.query);
  const outcomes: TermOutcome[] = [];
  for (const term of args.in === "names" ? [] : terms) {
    const request = { ...requestFor(setting, [term], FILES_PER_TERM), filesOnly: true };
    outcomes.push({ term, outcome: await engine.search(request, place) });
  }
  const withLines = new Set(outcomes.flatMap(({ outcome }) => outcome.files.map(({ path }) => path)));
  const names =
    args.in === "content"
      ? new Map<string, NameFit>()
      : fittingNames({ query: args.query, terms }, listing.files, withLines);
  const ranked = [...scoreFiles(outcomes, names)].sort(byScore);
  const hits = await withBestLines(ranked, { ...setting, outcomes }, { engine, place });
  const [first] = outcomes;
  return {
    hits,
    searched: first?.outcome.searchedFiles ?? listing.files.length,
    skipped: first?.outcome.skipped ?? listing.skipped,
    incomplete: listing.incomplete || outcomes.some(({ outcome }) => isPartial(outcome)),
  };
}

function isPartial({ incomplete, totalFiles }: SearchOutcome): boolean {
  return incomplete !== undefined || totalFiles > FILES_PER_TERM;
}

/** A weak name match adds no file, but still supports one whose lines match. */
function fittingNames(
  { query, terms }: { readonly query: string; readonly terms: readonly QueryTerm[] },
  files: readonly string[],
  withLines: ReadonlySet<string>,
): Map<string, NameFit> {
  const found = new Map<string, NameFit>();
  for (const path of files) {
    const fit = fitName(query, terms, path);
    if (fit.score >= NAME_THRESHOLD || (fit.terms.size > 0 && withLines.has(path))) found.set(path, fit);
  }
  return found;
}

interface Reading {
  readonly engine: WorkspaceSearch;
  readonly place: SearchPlace;
}

async function withBestLines(
  ranked: readonly ScoredFile[],
  setting: SearchContext & { readonly outcomes: readonly TermOutcome[] },
  { engine, place }: Reading,
): Promise<Hit[]> {
  const { args, outcomes } = setting;
  const weights = weighTerms(outcomes);
  const phrase = args.query.trim().toLowerCase();
  const wanted = Math.max(READ_AT_LEAST, Math.min(args.max_results * 2, 1_000));
  const request = requestFor(setting, [...weights.keys()], LINES_PER_FILE);
  const hits: Hit[] = [];
  for (const { path, score, hasLines } of ranked) {
    const isRead = hasLines && hits.length < wanted;
    const found = isRead ? await engine.search({ ...request, file: path }, place) : undefined;
    const best = found && bestLine(found.files[0]?.lines ?? [], weights, phrase);
    const whole = round(score + (best?.score ?? 0));
    hits.push(best ? { ...best, path, score: whole } : { path, score: whole });
  }
  return [...hits.slice(0, wanted).sort(byScore), ...hits.slice(wanted)];
}

function requestFor(
  { walk, limits }: SearchContext,
  terms: readonly QueryTerm[],
  limit: number,
): SearchRequest {
  return {
    pattern: { pattern: terms.map(({ stem }) => escapeRegex(stem)).join("|"), ignoreCase: true },
    // The same folders that the listing leaves out; matched below the start of the walk, never above.
    walk: { ...walk, exclude: [...walk.exclude, ...excludedGlobs()] },
    order: "relevance",
    offset: 0,
    limit,
    filesOnly: false,
    context: { before: 0, after: 0 },
    limits: { ...DEFAULT_LIMITS, ...limits },
  };
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

function byScore(left: { score: number; path: string }, right: { score: number; path: string }): number {
  return right.score - left.score || comparePaths(left.path, right.path);
}

function round(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}
