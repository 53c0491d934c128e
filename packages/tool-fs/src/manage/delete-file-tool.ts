import { defineTool, type RenderFacts, ToolError } from "@haft/core";
import { renderInline } from "@haft/text";
import { countOf } from "../describe-size.js";
import { withNearestNames } from "../missing-path.js";
import { PATH_ALIASES } from "../path-parameter.js";
import {
  type DeleteFileArgs,
  type DeleteFileResult,
  deleteFileInput,
  deleteFileOutput,
} from "./manage-schema.js";

export const DeleteFileTool = defineTool({
  name: "delete_file",
  summary: "Delete a file, a link or a directory; the user can take it back.",
  category: "manage",
  permissions: ["DeleteFiles"],
  // For nearest names only: a role that may delete but not read goes without.
  alsoUses: ["ReadFiles"],
  approval: "confirm",
  input: deleteFileInput,
  output: deleteFileOutput,
  pack: "@haft/tool-fs",
  aliases: { path: [...PATH_ALIASES, "directory", "dir"], dry_run: ["preview", "preview_only"] },
  examples: [
    { when: "delete a file", args: { path: "src/old-parser.ts" } },
    { when: "see what a directory takes with it", args: { path: "build", recursive: true, dry_run: true } },
  ],
  guidance: [
    "Always asks the user first. A directory that is not empty needs recursive: true.",
    "A link is deleted itself, never what it points to. To rename, use move_file.",
  ].join("\n"),
  termination:
    "After the last deletion that the task needs, stop. Do not repeat a deletion the user refused.",
  previewOnly: ({ dry_run }) => dry_run,
  render: renderDelete,

  async run({ path, recursive, ...args }, { workspace }) {
    try {
      return { deleted: [...(await workspace.remove(path, { recursive }))] };
    } catch (error) {
      if (ToolError.is(error) && error.code === "DIRECTORY_NOT_EMPTY")
        throw notEmpty(error, { path, ...args });
      throw await withNearestNames(error, workspace, { path });
    }
  },
});

/** The ready call is a dry run: what a directory holds should be seen before it goes. */
function notEmpty(error: ToolError, { path }: Pick<DeleteFileArgs, "path">): ToolError {
  return new ToolError(error.code, error.message, {
    hint: "Nothing was deleted. Pass recursive: true to delete it with everything below it.",
    next: { tool: "delete_file", args: { path, recursive: true, dry_run: true } },
    cause: error,
  });
}

function renderDelete({ deleted }: DeleteFileResult, facts: RenderFacts<DeleteFileArgs>): string {
  const verb = facts.preview ? "[Dry Run] Would delete" : "Deleted";
  const [first = "", ...below] = deleted.map((path) => renderInline(facts.showPath(path)));
  if (below.length === 0) return `${verb} ${first}`;
  const shown = below.slice(0, MAX_SHOWN).map((path) => `  ${path}`);
  const rest = below.length - shown.length;
  return [
    `${verb} ${first} with ${countOf(below.length, "entry")} below it`,
    ...shown,
    ...(rest > 0 ? [`  … ${countOf(rest, "more entry")}`] : []),
  ].join("\n");
}

const MAX_SHOWN = 50;
