import { type ContextOf, type Tool, tool, toolDefinition } from "@haft/core";
import type { SearchOutcome } from "../engine/search/search-outcome.js";
import { DEFAULT_LIMITS } from "../engine/search/search-request.js";
import { describeOtherEncodings, otherEncodings } from "../other-encodings.js";
import { pathAsNamed } from "../path-as-named.js";
import { CONFIG_LIMITS, type ConfiguredLimits, clampResults, timeFor } from "../search-limits.js";
import { searchRoot } from "../search-root.js";
import { skippedOf, warnOfSkipped } from "../skipped.js";
import { WORKSPACE_SEARCH, type WorkspaceSearch } from "../workspace-search/workspace-search.js";
import { hintsForEmptyResult } from "./grep-hints.js";
import { matchesOf } from "./grep-matches.js";
import { grepRefusal } from "./grep-refusal.js";
import { grepRequest } from "./grep-request.js";
import { type GrepArgs, type GrepResult, grepInput, grepOutput } from "./grep-schema.js";
import { renderGrep } from "./render-grep.js";

export const grep = toolDefinition({
  name: "grep",
  summary: "Find lines by regular expression or plain text, with context, exact totals and ignore rules.",
  brief: {
    description:
      "Search file contents with a regular expression (RE2 syntax, case-insensitive by default; literal for plain text). Returns exact totals and says what was skipped.",
    parameters: {
      pattern: "Regular expression",
      path: "File or directory to search",
      glob: "Only paths that match, such as src/**/*.ts",
      literal: "Take the pattern as plain text",
      case_sensitive: "Match case",
      output_mode: "",
      context: "Lines around each match",
      max_results: "At most this many",
    },
  },
  category: "search",
  permissions: ["ReadFiles"],
  approval: "auto",
  input: grepInput,
  output: grepOutput,
  inject: [WORKSPACE_SEARCH, CONFIG_LIMITS],
  errors: ["INVALID_PATTERN"],
  pack: "@haft/tool-search",
  maxTokens: 6_000,
  // Its own deadline, which keeps what was found, comes first.
  timeoutMs: 120_000,
  aliases: {
    pattern: ["regex", "query", "search", "search_pattern", "text"],
    path: ["dir_path", "directory", "dir", "file_path", "folder", "file"],
    glob: ["include", "include_pattern", "file_pattern", "glob_pattern", "includes"],
    exclude: ["exclude_pattern", "exclude_dirs", "excludes", "exclude_patterns"],
    file_type: ["extension", "extensions", "file_types", "ext"],
    literal: ["fixed_strings", "is_literal", "fixed_string"],
    max_results: ["head_limit", "limit", "max_matches", "max_count"],
    before: ["before_context", "context_before"],
    after: ["after_context", "context_after"],
    context: ["context_lines", "surrounding_lines"],
    include_ignored: ["no_ignore"],
    include_hidden: ["hidden"],
    ignore_case: ["case_insensitive", "insensitive"],
    output_mode: ["mode"],
  },
  examples: [
    { when: "find where something is used", args: { pattern: "createSession", path: "src" } },
    { when: "search one kind of file", args: { pattern: "def \\w+_handler\\(", file_type: "py" } },
    { when: "look for text with special characters", args: { pattern: "items[0].name", literal: true } },
    { when: "list the files that mention it", args: { pattern: "TODO", output_mode: "files_with_matches" } },
  ],
  guidance: [
    "Use it to find text in files. Use [[glob]] to find files by name. Use [[search]] to find files by words.",
    "The pattern is RE2 syntax: no look-around and no back-references. Set literal:true for plain text such as `foo(` or `a[0]`.",
    "Case is ignored unless case_sensitive:true. A match stays in one line unless multiline:true; then . still stops at a line break unless (?s) is set.",
    "Narrow with path, glob or file_type rather than paging; the first line has the exact totals, the last says what was skipped and how to continue.",
    'Hidden, ignored and binary files and files over 1 MB are left out and counted; include_hidden:true, include_ignored:true or a path that names them, such as ".github", looks into them.',
  ].join("\n"),
  termination:
    "Go on (terminate=false) if the lines need further work. Stop (terminate=true) if showing them answers the user.",
  dialects: {
    canonical: { omit: ["type", "line_numbers", "ignore_case"] },
    camel: { omit: ["type", "line_numbers", "ignore_case"] },
    "openai-patch": { omit: ["type", "line_numbers", "ignore_case"] },
    claude: {
      name: "Grep",
      parameters: {
        case_sensitive: { not: "-i" },
        line_numbers: "-n",
        after: "-A",
        before: "-B",
        context: "-C",
        max_results: "head_limit",
      },
      defaults: { output_mode: "files_with_matches", case_sensitive: true },
      omit: [
        "ignore_case",
        "exclude",
        "file_type",
        "include_hidden",
        "include_ignored",
        "max_depth",
        "literal",
      ],
    },
  },
  render: renderGrep,
});

type Context = ContextOf<typeof grep>;

@tool(grep)
export class Grep implements Tool<typeof grep> {
  static readonly definition = grep;
  readonly #engine: WorkspaceSearch;
  readonly #limits: ConfiguredLimits;

  constructor(engine: WorkspaceSearch, limits: ConfiguredLimits) {
    this.#engine = engine;
    this.#limits = limits;
  }

  async run(args: GrepArgs, context: Context): Promise<GrepResult> {
    const { workspace, signal, warn } = context;
    const root = await searchRoot(args.path, workspace, (path) => ({
      tool: "grep",
      args: { ...args, path },
    }));
    const request = grepRequest(args, {
      root,
      limits: this.#limits,
      maxResults: clampResults(args.max_results, warn),
      callMs: timeFor(this.#limits.callMs ?? DEFAULT_LIMITS.callMs, context.remainingMs()),
    });
    const startedAt = performance.now();
    const outcome = await this.#engine.search(request, { workspace, signal }).catch((error: unknown) => {
      throw grepRefusal(error, args);
    });
    const tookMs = performance.now() - startedAt;
    const skipped = skippedOf(outcome.skipped);
    warnOfSkipped(skipped, { maxDepth: request.walk.maxDepth, ...request.limits }, warn);
    warnOfOutcome(outcome, warn);
    const place = { workspace, signal };
    const isNothing = outcome.totalLines === 0 && !outcome.incomplete;
    const empty = { args, request, outcome, tookMs };
    const hints = isNothing ? await hintsForEmptyResult(empty, this.#engine, place) : [];
    const others = await otherEncodings({ sought: args.pattern, request }, this.#engine, place);
    if (others !== undefined) warn(describeOtherEncodings(others));
    const named = pathAsNamed(args.path, root.path, workspace);
    const files = outcome.files.map((file) => ({ ...file, path: named(file.path) }));
    const { maxFileBytes } = request.limits;
    return {
      ...resultOf(args, { ...outcome, files }, workspace),
      skipped,
      ...(others === undefined ? {} : { otherEncodings: others }),
      maxFileBytes,
      hints,
    };
  }
}

function warnOfOutcome({ incomplete, files }: SearchOutcome, warn: (message: string) => void): void {
  if (incomplete) warn("the search stopped early; the totals are lower bounds");
  const binary = files.find(({ lines }) => lines.some(({ text }) => text.includes("\0")));
  if (binary) warn(`${binary.path} is not a text file; it was searched because it was named`);
}

function resultOf(args: GrepArgs, outcome: SearchOutcome, workspace: Context["workspace"]) {
  const { files, totalLines, totalFiles } = outcome;
  const isContent = args.output_mode === "content";
  const matches = isContent ? files.flatMap((file) => matchesOf(file, workspace.absolute(file.path))) : [];
  const shown = isContent ? matches.length : files.length;
  const end = args.offset + shown;
  const truncated = shown > 0 && end < (isContent ? totalLines : totalFiles);
  return {
    ...(isContent
      ? { matches }
      : {
          files: files.map(({ path, total }) => ({
            path,
            absolutePath: workspace.absolute(path),
            count: total,
          })),
        }),
    totalMatches: totalLines,
    totalFiles,
    shown,
    truncated,
    ...(truncated ? { nextOffset: end } : {}),
    incomplete: outcome.incomplete !== undefined,
    searched: outcome.searchedFiles,
  };
}
