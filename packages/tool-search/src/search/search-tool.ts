import { type ContextOf, type Tool, ToolError, tool, toolDefinition } from "@haft/core";
import { parentPath } from "@haft/core/workspace";
import { comparePaths } from "../engine/search/rank-files.js";
import { DEFAULT_LIMITS } from "../engine/search/search-request.js";
import { DEFAULT_WALK, type WalkOptions } from "../engine/walk/walk-options.js";
import { invalidGlob } from "../invalid-glob.js";
import { describeOtherEncodings, otherEncodings } from "../other-encodings.js";
import { pathAsNamed } from "../path-as-named.js";
import { resolveGlob } from "../resolve-glob.js";
import { CONFIG_LIMITS, type ConfiguredLimits, clampResults, timeFor } from "../search-limits.js";
import { searchRoot } from "../search-root.js";
import { skippedOf, warnOfSkipped } from "../skipped.js";
import { asExtensions } from "../string-list.js";
import { WORKSPACE_SEARCH, type WorkspaceSearch } from "../workspace-search/workspace-search.js";
import { findResults, type Hit } from "./find-results.js";
import { queryTerms } from "./query-terms.js";
import { excerpt, renderSearch, SNIPPET_CHARS } from "./render-search.js";
import { type SearchArgs, type SearchResult, searchInput, searchOutput } from "./search-schema.js";

export const search = toolDefinition({
  name: "search",
  summary: "Find files by words: names and contents ranked together, best first.",
  deferred: true,
  category: "search",
  permissions: ["ReadFiles"],
  approval: "auto",
  input: searchInput,
  output: searchOutput,
  inject: [WORKSPACE_SEARCH, CONFIG_LIMITS],
  errors: ["INVALID_PATTERN"],
  pack: "@haft/tool-search",
  // The tool's own deadline, which keeps partial results, comes first.
  timeoutMs: 120_000,
  aliases: {
    query: ["q", "text", "pattern", "keywords", "search", "search_query"],
    path: ["dir_path", "directory", "dir", "folder"],
    file_type: ["extension", "extensions", "file_types", "type"],
    exclude_dirs: ["exclude", "exclude_directories", "excludes", "ignore"],
    max_results: ["head_limit", "limit", "num_results"],
    in: ["where", "scope"],
  },
  examples: [
    { when: "find where something is handled", args: { query: "session timeout" } },
    { when: "find a file of which part of the name is known", args: { query: "usrctrl", in: "names" } },
    { when: "look in one kind of file", args: { query: "retry backoff", file_type: "ts", path: "src" } },
  ],
  guidance: [
    "Use it when you know words but not the exact text. Use [[grep]] for exact text or a pattern. Use [[glob]] for name patterns.",
    "Each file appears once, with the line that fits best. Rare words weigh more; a file name may be abbreviated.",
    "When there are too many results, add a word or narrow with path, file_type or exclude_dirs.",
  ].join("\n"),
  termination: "Go on after searching: it only gathers information. Read the best results before you answer.",
  render: renderSearch,
});

type Context = ContextOf<typeof search>;

@tool(search)
export class Search implements Tool<typeof search> {
  static readonly definition = search;
  readonly #engine: WorkspaceSearch;
  readonly #limits: ConfiguredLimits;

  constructor(engine: WorkspaceSearch, limits: ConfiguredLimits) {
    this.#engine = engine;
    this.#limits = limits;
  }

  async run(args: SearchArgs, context: Context): Promise<SearchResult> {
    const { workspace, signal, warn } = context;
    refuseBlank(args);
    const maxResults = clampResults(args.max_results, warn);
    const folder = await folderAt(args, context);
    const named = pathAsNamed(args.path, folder, workspace);
    const walk = this.#walk(args, folder);
    const {
      grepFileBytes: maxFileBytes = DEFAULT_LIMITS.maxFileBytes,
      grepFileMs: fileMs = DEFAULT_LIMITS.fileMs,
    } = this.#limits;
    // Every word is a separate search; together they stay within the call's time.
    const callMs =
      timeFor(this.#limits.callMs ?? DEFAULT_LIMITS.callMs, context.remainingMs()) /
      (queryTerms(args.query).length + 2);
    const setting = { args, walk, limits: { maxFileBytes, fileMs, callMs } };
    const found = await findResults(setting, this.#engine, { workspace, signal }).catch((error: unknown) => {
      throw invalidGlob(error, { tool: "search", args, parameters: ["exclude_dirs"] }) ?? error;
    });
    const skipped = skippedOf(found.skipped);
    warnOfSkipped(skipped, { maxDepth: walk.maxDepth, maxFileBytes, fileMs }, warn);
    const sought = { sought: args.query, request: { walk } };
    const others = await otherEncodings(sought, this.#engine, { workspace, signal });
    if (others !== undefined) warn(describeOtherEncodings(others));
    const hits = found.hits.map((hit) => ({ ...hit, path: named(hit.path) }));
    const best = hits.slice(0, maxResults);
    return {
      results: best.map((hit) => resultOf(hit, workspace)),
      total: hits.length,
      truncated: hits.length > best.length,
      incomplete: found.incomplete,
      topFolders: topFolders(hits),
      searched: found.searched,
      skipped,
      ...(others === undefined ? {} : { otherEncodings: others }),
    };
  }

  #walk(args: SearchArgs, folder: string): WalkOptions {
    return {
      ...DEFAULT_WALK,
      folder,
      maxDepth: this.#limits.maxDepth ?? DEFAULT_WALK.maxDepth,
      exclude: args.exclude_dirs.flatMap((glob) => resolveGlob(folder, glob)),
      extensions: asExtensions(args.file_type),
    };
  }
}

const LINE_CHARS = 500;
/** The number of characters before the words in a truncated line. */
const LEAD_CHARS = 50;

function resultOf({ path, line, text, at = 0, score }: Hit, workspace: Context["workspace"]) {
  return {
    path,
    absolutePath: workspace.absolute(path),
    ...(line === undefined ? {} : { line }),
    snippet: text === undefined ? path : snippetOf(text, at),
    score,
  };
}

function snippetOf(text: string, at: number): string {
  const isFar = text.length > SNIPPET_CHARS && at > 2 * LEAD_CHARS;
  return isFar ? `…${excerpt(text, at - LEAD_CHARS, LINE_CHARS)}` : excerpt(text, 0, LINE_CHARS);
}

function topFolders(hits: readonly Hit[]): SearchResult["topFolders"] {
  const counts = new Map<string, number>();
  for (const { path } of hits) {
    const folder = parentPath(path) || ".";
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .map(([folder, count]) => ({ folder, count }))
    .sort((a, b) => b.count - a.count || comparePaths(a.folder, b.folder))
    .slice(0, 3);
}

function refuseBlank({ query }: SearchArgs): void {
  if (query.trim() !== "") return;
  throw new ToolError("INVALID_ARGUMENTS", "query is blank", {
    hint: 'Write one or more words, or a part of a file name: {"query": "session timeout"}.',
  });
}

async function folderAt(args: SearchArgs, { workspace }: Context): Promise<string> {
  const root = await searchRoot(args.path, workspace, (path) => ({
    tool: "search",
    args: { ...args, path },
  }));
  if (root.type === "directory") return root.path;
  throw new ToolError("NOT_A_DIRECTORY", `${args.path} is a file, not a folder`, {
    hint: "Use [[grep]] to search one file.",
    next: { tool: "grep", args: { pattern: args.query, path: root.path, literal: true } },
  });
}
