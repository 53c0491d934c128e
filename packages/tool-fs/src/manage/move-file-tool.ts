import { defineTool, type RenderFacts, ToolError, type WorkspaceReader } from "@haft/core";
import { baseName, relativePath } from "@haft/core/workspace";
import { renderInline } from "@haft/text";
import { withNearestNames } from "../missing-path.js";
import { lacksReadFiles } from "../write/existing-file.js";
import { type MoveFileArgs, type MoveFileResult, moveFileInput, moveFileOutput } from "./manage-schema.js";

export const MoveFile = defineTool({
  name: "move_file",
  summary: "Move or rename a file or directory; fails if the new path exists, unless overwrite is set.",
  brief: {
    description: "Move or rename a file or directory.",
    parameters: {
      from: "Current path",
      to: "New path",
      overwrite: "Replace an existing file",
    },
  },
  category: "manage",
  permissions: ["WriteFiles", "CreateFiles"],
  alsoUses: ["ReadFiles", "DeleteFiles"],
  approval: ({ changes }) =>
    changes.some((change) => change.kind === "move" && change.replaces !== undefined) ? "confirm" : "auto",
  input: moveFileInput,
  output: moveFileOutput,
  pack: "@haft/tool-fs",
  aliases: {
    from: ["source", "src", "source_path", "old_path", "path"],
    to: ["destination", "dest", "dst", "target", "destination_path", "new_path"],
    create_dirs: ["create_directories", "mkdirs", "make_dirs"],
    dry_run: ["preview", "preview_only"],
  },
  examples: [
    { when: "rename a file", args: { from: "src/util.ts", to: "src/parse-date.ts" } },
    { when: "move a directory", args: { from: "lib/http", to: "packages/http/src" } },
  ],
  guidance: [
    "Give the full new path including the name; a directory alone is not a valid destination.",
    "An existing path is an error; overwrite: true replaces a file and asks the user.",
    "Imports of a moved file do not change by themselves: search for them afterwards.",
  ].join("\n"),
  termination: "After the last move, fix what refers to the old path, then stop.",
  previewOnly: ({ dry_run }) => dry_run,
  render: renderMove,

  async run({ from, to, overwrite, create_dirs: createDirs }, { workspace }) {
    const overwritten = overwrite && (await isTaken(to, workspace));
    await workspace.move(from, to, { overwrite, createDirs }).catch(async (error) => {
      throw await explained(error, { from, to }, workspace);
    });
    const [source, destination] = [relativePath(from, workspace), relativePath(to, workspace)];
    return { from: source, to: destination, absolutePath: workspace.absolute(destination), overwritten };
  },
});

async function isTaken(path: string, workspace: WorkspaceReader): Promise<boolean> {
  try {
    return await workspace.exists(path);
  } catch (error) {
    if (lacksReadFiles(error)) return true;
    throw error;
  }
}

/** An existing directory as destination usually means "into it". */
async function explained(
  error: unknown,
  { from, to }: Pick<MoveFileArgs, "from" | "to">,
  workspace: WorkspaceReader,
): Promise<unknown> {
  if (!ToolError.is(error) || error.code !== "DESTINATION_EXISTS")
    return withNearestNames(error, workspace, { path: from });
  const isDirectory = await workspace.stat(to).then(
    ({ type }) => type === "directory",
    () => false,
  );
  if (!isDirectory) {
    const hint = "Nothing was moved. Choose another name, or set overwrite: true to replace it.";
    return new ToolError(error.code, error.message, { hint, details: error.details, cause: error });
  }
  const inside = `${to.replace(/\/+$/, "")}/${baseName(from.replace(/\/+$/, ""))}`;
  return new ToolError(error.code, error.message, {
    hint: error.hint,
    next: { tool: "move_file", args: { from, to: inside } },
    cause: error,
  });
}

function renderMove(value: MoveFileResult, { preview, showPath }: RenderFacts<MoveFileArgs>): string {
  const [from, to] = [renderInline(showPath(value.from)), renderInline(showPath(value.to))];
  if (value.from === value.to) return `${from} is at ${to} already`;
  const verb = preview ? "Would move" : "Moved";
  return `${verb} ${from} to ${to}${value.overwritten ? ", replacing the existing file" : ""}`;
}
