import { defineTool, type RenderFacts, ToolError } from "@haft/core";
import { countOf, renderInline } from "@haft/text";
import { withNearestNames } from "../missing-path.js";
import { PATH_ALIASES } from "../path-parameter.js";
import {
  type DeleteFileArgs,
  type DeleteFileResult,
  deleteFileInput,
  deleteFileOutput,
} from "./manage-schema.js";

export const DeleteFile = defineTool({
  name: "delete_file",
  summary: "Delete a file, a link or a directory; the user can undo it.",
  brief: {
    description: "Delete a file, a link or a directory. The user can undo it.",
    parameters: {
      path: "What to delete",
      recursive: "Also what a directory contains",
    },
  },
  category: "manage",
  permissions: ["DeleteFiles"],
  // Used for nearest names only; a role that may delete but not read does without.
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
    "A link is deleted itself, never its target. Use [[move_file]] to rename.",
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

/** Suggests a dry run, so that the content of a directory is seen before it is deleted. */
function notEmpty(error: ToolError, { path }: Pick<DeleteFileArgs, "path">): ToolError {
  return new ToolError(error.code, error.message, {
    hint: "Nothing was deleted. Pass recursive: true to delete it with everything below it.",
    next: { tool: "delete_file", args: { path, recursive: true, dry_run: true } },
    cause: error,
  });
}

function renderDelete({ deleted }: DeleteFileResult, facts: RenderFacts<DeleteFileArgs>): string {
  const verb = facts.preview ? "Would delete" : "Deleted";
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
