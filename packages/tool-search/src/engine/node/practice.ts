import { setImmediate } from "node:timers/promises";
import type { PatternOptions } from "../match/compile-pattern.js";
import type { SearchOutcome } from "../search/search-outcome.js";
import { DEFAULT_LIMITS, type SearchRequest } from "../search/search-request.js";
import { DEFAULT_WALK } from "../walk/walk-options.js";

/** Patterns of common kinds, which match something in most trees. */
const PATTERNS: readonly PatternOptions[] = [
  { pattern: "return" },
  { pattern: "new \\w+Error" },
  { pattern: "(TODO|FIXME|NOTE)" },
  { pattern: "\\bif\\b" },
  { pattern: "import .*from" },
  { pattern: "error(", literal: true, ignoreCase: true },
  { pattern: "def \\w+_\\w+\\b", ignoreCase: true },
  // These match nothing, as a call does before hints are looked for.
  { pattern: "qzxjvkFromNowhere" },
  { pattern: "class \\w+_qzxjvk\\b" },
];

/** V8 compiles a function after some thousands of files; small trees are searched several times. */
const FILES = 40_000;
const MAX_SEARCHES = 140;
const MIN_ROUNDS = PATTERNS.length;
/** A large tree is left early: by then the code has run often enough. */
const SEARCH_MS = 150;

/**
 * Runs warm-up searches so that V8 has compiled the code before the first real one: interpreted code takes several
 * times as long. Resumes where it stopped.
 */
export class Practice {
  private rounds = 0;
  private searches = 0;
  private files = 0;

  get isDone(): boolean {
    const { rounds, searches, files } = this;
    return searches >= MAX_SEARCHES || (rounds >= MIN_ROUNDS && files >= FILES);
  }

  async run(search: (request: SearchRequest) => Promise<SearchOutcome>, signal: AbortSignal): Promise<void> {
    const tryOut = async (request: SearchRequest) => {
      const outcome = await search(request);
      this.files += outcome.searchedFiles;
      this.searches++;
      return outcome;
    };
    while (!this.isDone) {
      signal.throwIfAborted();
      const request = this.nextRequest();
      const { searchedFiles, files } = await tryOut(request);
      const followers = followersOf(request, searchedFiles);
      if (files.length > 0) followers.push({ ...trialOf(request), among: files.map(({ path }) => path) });
      for (const follower of followers) if (!this.isDone) await tryOut(follower);
      this.rounds++;
      await setImmediate();
    }
  }

  private nextRequest(): SearchRequest {
    return {
      pattern: PATTERNS[this.rounds % PATTERNS.length] as PatternOptions,
      walk: DEFAULT_WALK,
      order: "relevance",
      offset: 0,
      limit: 50,
      filesOnly: false,
      context: "auto",
      limits: { ...DEFAULT_LIMITS, callMs: SEARCH_MS },
    };
  }
}

/** Below this, a call without matches is followed by searches of all files. */
const FEW_FILES = 2_000;

/** The searches that follow one without matches in a small tree: with all changes at once, and as plain text. */
function followersOf(request: SearchRequest, searchedFiles: number): SearchRequest[] {
  if (searchedFiles >= FEW_FILES) return [];
  const trial = trialOf(request);
  const { pattern } = request.pattern;
  return [
    { ...trial, walk: { ...trial.walk, includeIgnored: true } },
    { ...trial, walk: request.walk, pattern: { pattern, literal: true } },
  ];
}

/** Tests a changed pattern and looks at hidden files too. */
function trialOf(request: SearchRequest): SearchRequest {
  return {
    ...request,
    pattern: { ...request.pattern, ignoreCase: true },
    walk: { ...request.walk, includeHidden: true },
    filesOnly: true,
    follows: true,
  };
}
