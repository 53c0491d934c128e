import { defineTool, ToolError } from "@haft/core";
import { Pace } from "@haft/core/workspace";
import { countOf } from "@haft/text";
import { pathAliases } from "../parameters.js";
import { renderChange } from "../render-change.js";
import { planInPart } from "../text/plan-in-part.js";
import { linesOfPart, splicedPart } from "../text/spliced-part.js";
import { noChange } from "./edit-errors.js";
import { type EditArgs, editInput, editOutput, type Replacement } from "./edit-schema.js";
import { planEdits } from "./plan-edits.js";

export const Edit = defineTool({
  name: "edit",
  summary: "Replace an exact piece of text in a file, and nothing else.",
  brief: {
    description:
      "Replace old_string, which must occur exactly once (or set replace_all), with new_string. Copy it without line-number prefixes.",
    parameters: {
      path: "File to change",
      old_string: "Exact text to find",
      new_string: "Text to put in its place",
      replace_all: "Replace every occurrence",
    },
  },
  category: "write",
  pack: "@haft/tool-edit",
  permissions: ["ReadFiles", "WriteFiles"],
  approval: "confirm",
  input: editInput,
  output: editOutput,
  errors: ["EDIT_NOT_FOUND", "EDIT_NOT_UNIQUE", "NO_CHANGE", "OUTPUT_TOO_LARGE"],
  aliases: {
    ...pathAliases,
    old_string: ["old_text", "old_str", "search", "find"],
    new_string: ["new_text", "new_str", "replacement", "replace"],
  },
  guidance:
    "old_string must occur exactly once in the file, unless replace_all is set. Copy it from what you read, without line numbers. Encoding and line endings are kept; only the replaced text changes.",
  termination:
    "Use dry_run first when you are not sure of the place. terminate=true after a successful edit that completes the task; terminate=false when you still want to verify it.",
  examples: [
    {
      when: "change one place",
      args: { path: "src/total.ts", old_string: "sum - price", new_string: "sum + price" },
    },
    {
      when: "change two places of one file at once",
      args: {
        path: "src/a.ts",
        edits: [
          { old_string: "let a", new_string: "const a" },
          { old_string: "let b", new_string: "const b" },
        ],
      },
    },
    {
      when: "change every place",
      args: { path: "src/a.ts", old_string: "userId", new_string: "accountId", replace_all: true },
    },
  ],
  dialects: {
    claude: { name: "Edit", parameters: { path: "file_path" }, omit: ["edits", "encoding"] },
    "openai-patch": "hidden",
  },
  previewOnly: ({ dry_run }) => dry_run,

  async run(args, { workspace, warn, signal }) {
    const place = { find: (args.edits ?? [args]).map(({ old_string = "" }) => old_string) };
    const { path, encoding } = args;
    const { file, plan } = await planInPart(workspace, { path, place, encoding }, (text) =>
      planEdits(text, replacementsOf(args, text.path), new Pace(signal)),
    );
    const { splices, notes } = plan;
    for (const note of notes) warn(note);
    const part = splicedPart(file.text, splices);
    if (part.after === part.before) throw noChange(file.path);
    const { startLine, diff } = await workspace.spliceText(args.path, file, splices);
    return {
      path: file.path,
      replacements: splices.length,
      ...linesOfPart(part, startLine),
      diff: diff(file.path),
      hash: await workspace.hashOf(args.path),
    };
  },

  render: ({ path, replacements, diff, hash }, { preview, showPath }) =>
    renderChange(headline({ path: showPath(path), replacements, hash, isPreview: preview }), diff),
});

function headline({
  path,
  replacements,
  hash,
  isPreview,
}: {
  path: string;
  replacements: number;
  hash: string;
  isPreview: boolean;
}): string {
  if (isPreview) return `Would replace ${replacements} occurrence(s) in ${path}.`;
  return `Replaced ${countOf(replacements, "occurrence")} in ${path} (hash ${hash}).`;
}

function replacementsOf(args: EditArgs, path: string): readonly Replacement[] {
  const { old_string, new_string, replace_all, edits } = args;
  if (edits !== undefined && (old_string !== undefined || new_string !== undefined)) {
    throw new ToolError("INVALID_ARGUMENTS", "Give either old_string and new_string, or edits, not both");
  }
  if (edits === undefined && (old_string === undefined || new_string === undefined)) {
    throw new ToolError(
      "INVALID_ARGUMENTS",
      "old_string and new_string are required, or edits for several at once",
    );
  }
  const replacements = edits ?? [{ old_string: old_string ?? "", new_string: new_string ?? "", replace_all }];
  for (const replacement of replacements) {
    if (replacement.old_string === "") throw emptyOldString(path);
    if (replacement.old_string === replacement.new_string) throw noChange(path);
  }
  return replacements;
}

function emptyOldString(path: string): ToolError {
  return new ToolError("INVALID_ARGUMENTS", `old_string is empty, so it matches nothing in ${path}`, {
    hint: "Use [[create_file]] to make a new file. Use [[edit_lines]] with operation insert to add lines.",
  });
}
