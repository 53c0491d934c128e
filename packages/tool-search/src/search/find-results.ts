import { excludedFolderAbove, excludedGlobs, isExcludedFolder } from "../default-excludes.js";
import type { SearchOutcome } from "../engine/search/search-outcome.js";
import { DEFAULT_LIMITS, type SearchRequest } from "../engine/search/search-request.js";
import type { SkipLedger } from "../engine/walk/skip-ledger.js";
import type { WalkOptions } from "../engine/walk/walk-options.js";
import type { SearchPlace, WorkspaceSearch } from "../workspace-search/workspace-search.js";
import { scoreLines, type TermOutcome } from "./score-lines.js";
import { scoreName } from "./score-name.js";
import type { SearchArgs } from "./search-schema.js";

export interface SearchSetting {
  readonly args: SearchArgs;
  readonly walk: WalkOptions;
  readonly limits: SearchRequest["limits"];
}

export interface Hit {
  readonly path: string;
  readonly line?: number;
  readonly text?: string;
  readonly score: number;
}

export interface Hits {
  readonly hits: readonly Hit[];
  readonly total: number;
  readonly searched: number;
  readonly skipped: SkipLedger;
  readonly incomplete: boolean;
}

const LINES_PER_TERM = 400;
const MAX_TERMS = 8;
const MAX_COUNTED = 1_000;
const NAME_THRESHOLD = 0.55;
const NAME_WEIGHT = 8;

/** Files whose names or lines fit a query; the scores of both add up. */
export async function findResults(
  setting: SearchSetting,
  engine: WorkspaceSearch,
  place: SearchPlace,
): Promise<Hits> {
  const { args, walk, limits } = setting;
  const listing = await engine.list({ walk, leaveOut: isExcludedFolder, callMs: limits.callMs }, place);
  const names = args.in === "content" ? new Map<string, number>() : namesLike(args.query, listing.files);
  const terms = args.in === "names" ? [] : await searchTerms(setting, engine, place);
  const lines = scoreLines(terms);
  const paths = new Set([...names.keys(), ...lines.keys()]);
  const hits = [...paths].map((path): Hit => {
    const best = lines.get(path);
    const score = round((names.get(path) ?? 0) * NAME_WEIGHT + (best?.score ?? 0));
    return best ? { path, line: best.line, text: best.text, score } : { path, score };
  });
  const counted = args.in === "names" ? undefined : await countFiles(setting, engine, place);
  for (const { path } of counted?.files ?? []) paths.add(path);
  return {
    hits,
    total: Math.max(paths.size, counted?.totalFiles ?? 0),
    searched: counted?.searchedFiles ?? listing.files.length,
    skipped: counted?.skipped ?? listing.skipped,
    incomplete:
      listing.incomplete || counted?.incomplete !== undefined || (counted?.totalFiles ?? 0) > MAX_COUNTED,
  };
}

/** The words of a query; a query without any is taken as it is. */
export function termsOf(query: string): readonly string[] {
  const words = query.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const unique = [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];
  const long = unique.filter((word) => word.length > 1);
  if (unique.length === 0) return [query.trim() === "" ? query : query.trim()];
  return (long.length > 0 ? long : unique).slice(0, MAX_TERMS);
}

function namesLike(query: string, files: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const path of files) {
    const score = scoreName(query, path);
    if (score >= NAME_THRESHOLD) found.set(path, score);
  }
  return found;
}

/** Each word by itself, and the whole phrase, which is worth most because it is rarest. */
async function searchTerms(
  setting: SearchSetting,
  engine: WorkspaceSearch,
  place: SearchPlace,
): Promise<readonly TermOutcome[]> {
  const words = termsOf(setting.args.query);
  const phrase = setting.args.query.trim();
  const terms = words.length > 1 ? [...words, phrase] : words;
  const outcomes: TermOutcome[] = [];
  for (const term of terms) {
    const request = requestFor(setting, { pattern: term, literal: true }, LINES_PER_TERM);
    outcomes.push({ term, outcome: await engine.search(request, place) });
  }
  return outcomes;
}

function countFiles(
  setting: SearchSetting,
  engine: WorkspaceSearch,
  place: SearchPlace,
): Promise<SearchOutcome> {
  const pattern = termsOf(setting.args.query).map(escapeRegex).join("|");
  return engine.search({ ...requestFor(setting, { pattern }, MAX_COUNTED), filesOnly: true }, place);
}

function requestFor(
  { walk, limits }: SearchSetting,
  pattern: { readonly pattern: string; readonly literal?: boolean },
  limit: number,
): SearchRequest {
  return {
    pattern: { ...pattern, ignoreCase: true },
    walk: { ...walk, exclude: [...walk.exclude, ...excludedNames(walk.folder)] },
    order: "relevance",
    offset: 0,
    limit,
    filesOnly: false,
    context: { before: 0, after: 0 },
    limits: { ...DEFAULT_LIMITS, ...limits },
  };
}

/** The same folders that the listing leaves out; none above the folder that was asked for. */
function excludedNames(folder: string): readonly string[] {
  return excludedFolderAbove(`${folder}/x`, "") === undefined ? excludedGlobs() : [];
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

function round(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}
