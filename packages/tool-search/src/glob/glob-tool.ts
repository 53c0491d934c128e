import { type ContextOf, type Tool, ToolError, tool, toolDefinition } from "@haft/core";
import { parentPath } from "@haft/core/workspace";
import { comparePaths } from "../engine/search/rank-files.js";
import { DEFAULT_LIMITS } from "../engine/search/search-request.js";
import type { FileFacts } from "../engine/walk/file-listing.js";
import { DEFAULT_WALK } from "../engine/walk/walk-options.js";
import { invalidGlob } from "../invalid-glob.js";
import { invalidPattern } from "../invalid-pattern.js";
import { pathAsNamed } from "../path-as-named.js";
import { CONFIG_LIMITS, type ConfiguredLimits, clampResults, timeFor } from "../search-limits.js";
import { searchRoot } from "../search-root.js";
import { skippedOf, warnOfSkipped } from "../skipped.js";
import { asList } from "../string-list.js";
import { WORKSPACE_SEARCH, type WorkspaceSearch } from "../workspace-search/workspace-search.js";
import { globFiles } from "./glob-files.js";
import { planGlob } from "./glob-plan.js";
import { type GlobArgs, type GlobResult, globInput, globOutput } from "./glob-schema.js";
import { renderGlob } from "./render-glob.js";
import { repairGlob } from "./repair-glob.js";

export const glob = toolDefinition({
  name: "glob",
  summary: "Find files by name pattern, such as **/*.test.ts, sorted by path or newest first.",
  brief: {
    description: "Find files by name pattern, for example `src/**/*.test.ts`.",
    parameters: {
      pattern: "Glob pattern, or a list of them",
      path: "Directory to start in",
      max_results: "At most this many",
    },
  },
  category: "search",
  permissions: ["ReadFiles"],
  approval: "auto",
  input: globInput,
  output: globOutput,
  inject: [WORKSPACE_SEARCH, CONFIG_LIMITS],
  errors: ["INVALID_PATTERN"],
  pack: "@haft/tool-search",
  // The tool's own deadline, which keeps partial results, comes first.
  timeoutMs: 120_000,
  aliases: {
    pattern: ["patterns", "glob", "glob_pattern", "include", "include_pattern", "query"],
    path: ["dir_path", "directory", "dir", "cwd", "root", "folder"],
    exclude: ["exclude_pattern", "exclude_patterns", "exclude_dirs", "ignore", "excludes"],
    sort: ["sort_by", "order_by"],
    include_hidden: ["hidden", "dot"],
    include_ignored: ["no_ignore"],
    max_results: ["head_limit", "limit", "max_files"],
  },
  examples: [
    { when: "find all tests", args: { pattern: "**/*.test.ts" } },
    { when: "find one kind of file in a folder", args: { pattern: "**/*.{js,ts}", path: "src" } },
    { when: "leave some out", args: { pattern: ["src/**", "!**/*.test.ts"], exclude: ["fixtures"] } },
  ],
  guidance: [
    "Use it to find files by name. Use [[grep]] to find text in files. Use [[list_directory]] to see a folder.",
    "* and ? stay within a name, ** crosses folders, [abc] and {a,b} work, and in a list ! excludes. Only files are found.",
    "Ignored files, hidden files and folders such as node_modules and dist are left out unless the pattern or path names them; the last line says when they hold matches.",
    "A name that holds brackets, like [id].tsx, is found as it is written.",
  ].join("\n"),
  termination:
    "Go on (terminate=false) if the paths need further work. Stop (terminate=true) if showing them answers the user.",
  dialects: {
    claude: {
      name: "Glob",
      defaults: { sort: "modified" },
      omit: [
        "exclude",
        "sort",
        "case_sensitive",
        "include_hidden",
        "include_ignored",
        "max_results",
        "offset",
        "max_depth",
      ],
    },
  },
  render: renderGlob,
});

type Context = ContextOf<typeof glob>;

@tool(glob)
export class Glob implements Tool<typeof glob> {
  static readonly definition = glob;
  readonly #engine: WorkspaceSearch;
  readonly #limits: ConfiguredLimits;

  constructor(engine: WorkspaceSearch, limits: ConfiguredLimits) {
    this.#engine = engine;
    this.#limits = limits;
  }

  async run(args: GlobArgs, context: Context): Promise<GlobResult> {
    const { workspace, signal, warn } = context;
    const maxResults = clampResults(args.max_results, warn);
    const base = await folderAt(args, context);
    const named = pathAsNamed(args.path, base, workspace);
    const refuse = (error: unknown): never => {
      throw refusal(error, args);
    };
    const patterns = asList(args.pattern);
    const plan = await planGlob({ patterns, args, base, workspace }).catch(refuse);
    const maxDepth = args.max_depth ?? this.#limits.maxDepth ?? DEFAULT_WALK.maxDepth;
    const callMs = timeFor(this.#limits.callMs ?? DEFAULT_LIMITS.callMs, context.remainingMs());
    const place = { workspace, signal };
    const walk = { args, plan, base, maxDepth, callMs };
    const found = await globFiles(walk, this.#engine, place).catch(refuse);
    const skipped = skippedOf(found.skipped);
    warnOfSkipped(skipped, { maxDepth }, warn);
    if (found.incomplete) warn("the listing stopped early; the total is a lower bound");
    const page = await this.#page(
      [...found.paths].sort(comparePaths),
      { ...args, max_results: maxResults },
      workspace,
    );
    const files = page.files.map(({ path, ...facts }) => ({
      path: named(path),
      absolutePath: workspace.absolute(named(path)),
      ...facts,
    }));
    const { incomplete, excluded, excludedIncomplete } = found;
    return {
      ...page,
      files,
      incomplete,
      skipped,
      excluded,
      ...(excludedIncomplete && { excludedIncomplete }),
    };
  }

  async #page(paths: readonly string[], args: GlobArgs, workspace: Context["workspace"]) {
    const end = args.offset + args.max_results;
    const ordered =
      args.sort === "path"
        ? await this.#withFacts(paths.slice(args.offset, end), workspace)
        : (await this.#withFacts(paths, workspace)).sort(newestFirst).slice(args.offset, end);
    const truncated = end < paths.length;
    return {
      files: ordered.map(({ path, size, modifiedMs }) => ({
        path,
        size,
        modified: new Date(modifiedMs).toISOString(),
      })),
      total: paths.length,
      shown: ordered.length,
      truncated,
      ...(truncated ? { nextOffset: end } : {}),
    };
  }

  async #withFacts(paths: readonly string[], workspace: Context["workspace"]): Promise<ListedFile[]> {
    const facts = await this.#engine.factsOf(paths, workspace);
    return paths.map((path, index) => ({ path, ...(facts[index] ?? GONE) }));
  }
}

interface ListedFile extends FileFacts {
  readonly path: string;
}

// Removed since it was listed, but still named.
const GONE: FileFacts = { size: 0, modifiedMs: 0 };

function newestFirst(left: ListedFile, right: ListedFile): number {
  return right.modifiedMs - left.modifiedMs || comparePaths(left.path, right.path);
}

async function folderAt(args: GlobArgs, { workspace }: Context): Promise<string> {
  const root = await searchRoot(args.path, workspace, (path) => ({ tool: "glob", args: { ...args, path } }));
  if (root.type === "directory") return root.path;
  throw new ToolError("NOT_A_DIRECTORY", `${args.path} is a file, not a folder`, {
    hint: "Set path to a folder.",
    next: { tool: "glob", args: { ...args, path: parentPath(root.path) || "." } },
  });
}

function refusal(error: unknown, args: GlobArgs): unknown {
  const excludeRefusal = invalidGlob(error, { tool: "glob", args, parameters: ["exclude"] });
  if (excludeRefusal !== undefined) return excludeRefusal;
  const patterns = asList(args.pattern);
  const repaired = patterns.map((pattern) => repairGlob(pattern) ?? pattern);
  const isRepaired = repaired.some((pattern, index) => pattern !== patterns[index]);
  const rewrite = isRepaired ? repaired.join(", ") : undefined;
  return invalidPattern(error, {
    kind: "glob",
    pattern: patterns.join(", "),
    rewrite,
    syntax: "Patterns are such as **/*.ts, src/{a,b}/*.js or file[0-9].txt.",
    next: isRepaired
      ? { tool: "glob", args: { ...args, pattern: repaired.length === 1 ? repaired[0] : repaired } }
      : undefined,
  });
}
