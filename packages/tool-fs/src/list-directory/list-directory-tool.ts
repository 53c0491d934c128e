import { defineTool, ToolError, type WorkspaceReader } from "@haft/core";
import { countOf } from "@haft/text";
import { withNearestNames } from "../missing-path.js";
import { listDirectoryInput, listDirectoryOutput } from "./list-directory-schema.js";
import { listLevels } from "./list-levels.js";
import { renderListing } from "./render-listing.js";

export const ListDirectory = defineTool({
  name: "list_directory",
  summary: "List what is in a directory, with types and sizes; with recursive, a few levels down.",
  brief: {
    description: "List a directory with types and sizes.",
    parameters: {
      path: "Directory to list",
      recursive: "Include subdirectories",
      max_depth: "How many levels down",
    },
  },
  category: "search",
  permissions: ["ReadFiles"],
  approval: "auto",
  input: listDirectoryInput,
  output: listDirectoryOutput,
  pack: "@haft/tool-fs",
  aliases: {
    path: ["directory", "dir", "dir_path", "directory_path", "folder"],
    max_depth: ["depth"],
    max_results: ["limit", "head_limit"],
    sort: ["sort_by", "order_by"],
    include_hidden: ["all", "show_hidden"],
  },
  examples: [
    { when: "see the top of the project", args: {} },
    { when: "see two levels of a directory", args: { path: "src", recursive: true } },
    { when: "find what changed last", args: { path: "logs", sort: "modified" } },
  ],
  guidance: [
    "Use it to learn how a project is laid out. Use [[glob]] to find files by name. Use [[grep]] to find text in files.",
    "Directories come first and end in /. Ignored directories are shown but not entered.",
    "When it is cut off, list a directory further down instead of raising max_results.",
  ].join("\n"),
  termination: "Go on after listing: it only gathers information.",
  dialects: { claude: { name: "LS" } },
  render: renderListing,

  async run(args, { workspace, signal, warn }) {
    const { path } = args;
    const root = await directoryAt(path, workspace);
    const maxResults = Math.min(args.max_results, MAX_RESULTS);
    if (maxResults < args.max_results) warn(`max_results is at most ${MAX_RESULTS}`);
    const listing = {
      ...args,
      include_hidden: args.include_hidden || namesDotSegment(root),
      maxDepth: args.recursive ? args.max_depth : 1,
      maxResults,
    };
    const levels = await listLevels(root, listing, { workspace, signal });
    const unnamed = levels.entries.filter((entry) => entry.unnamed);
    if (levels.ignoreRules > 0)
      warn(
        `skipped ${countOf(levels.ignoreRules, "line")} of ignore files: too long, too many, or after the first 1 MB`,
      );
    if (unnamed.length > 0) warn(describeUnnamed(unnamed.map(({ path }) => path)));
    return { path: root === "" ? "." : root, absolutePath: workspace.absolute(root), ...levels };
  },
});

const MAX_RESULTS = 2_000;
const MAX_TOLD = 5;

function describeUnnamed(paths: readonly string[]): string {
  const more = paths.length > MAX_TOLD ? `, … ${paths.length - MAX_TOLD} more` : "";
  const have = paths.length === 1 ? "entry has a name" : "entries have names";
  return `${paths.length} ${have} that no tool can open, not UTF-8 or with control characters; shown escaped: ${paths.slice(0, MAX_TOLD).join(", ")}${more}`;
}

/** A caller that asks for `.github` wants to see its contents. */
function namesDotSegment(path: string): boolean {
  return path.split("/").some((segment) => segment.startsWith("."));
}

async function directoryAt(path: string, workspace: Pick<WorkspaceReader, "stat">): Promise<string> {
  const found = await workspace.stat(path).catch(async (error) => {
    const missing =
      ToolError.is(error) && error.code === "FILE_NOT_FOUND"
        ? new ToolError("PATH_NOT_FOUND", `Directory not found: ${path}`, { cause: error })
        : error;
    throw await withNearestNames(missing, workspace, {
      path,
      next: (nearest) => ({ tool: "list_directory", args: { path: nearest } }),
    });
  });
  if (found.type === "directory") return found.path;
  throw new ToolError("NOT_A_DIRECTORY", `${path} is not a directory`, {
    ...(found.type === "file"
      ? { hint: "Use [[read_file]] to read it.", next: { tool: "read_file", args: { path } } }
      : {}),
  });
}
