import { defineTool, s, ToolError } from "@haft/core";
import { dryRun, MAX_CONTENT_CHARS } from "../parameters.js";
import { renderChange } from "../render-change.js";
import { applyOperation, type PatchedFile } from "./apply-operation.js";
import { parsePatch } from "./parse-patch.js";

export const ApplyPatch = defineTool({
  name: "apply_patch",
  summary: "Apply a patch to one or more files: all of it or none.",
  category: "write",
  pack: "@haft/tool-edit",
  permissions: ["ReadFiles", "WriteFiles"],
  alsoUses: ["CreateFiles", "DeleteFiles"],
  approval: "confirm",
  input: s.object({
    patch: s.string(
      "A unified diff, or *** Begin Patch … *** End Patch with Add, Update, Delete File sections",
      { minLength: 1, maxLength: MAX_CONTENT_CHARS },
    ),
    dry_run: dryRun,
  }),
  output: s.object({
    files: s.array(
      "The files that changed",
      s.object({
        path: s.string("File"),
        kind: s.enum("What happened to it", ["create", "modify", "delete", "move"]),
      }),
    ),
    diff: s.string("Unified diff of all changes"),
  }),
  errors: ["INVALID_PATCH", "PATCH_FAILED"],
  aliases: { patch: ["input", "diff", "patch_text"] },
  guidance:
    "Later hunks see what earlier ones did. When any hunk has no place, nothing is changed and every such hunk is reported.",
  termination:
    "terminate=true after a successful patch that completes the task; terminate=false when you still want to verify it.",
  examples: [
    {
      when: "change a line and add a file",
      args: {
        patch:
          "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-let a = 1;\n+const a = 1;\n*** Add File: src/b.ts\n+export {};\n*** End Patch",
      },
    },
  ],
  previewOnly: ({ dry_run }) => dry_run,

  async run({ patch }, context) {
    const failures: { readonly text: string; readonly error: ToolError }[] = [];
    const files: PatchedFile[] = [];
    for (const operation of parsePatch(patch)) {
      try {
        files.push(await applyOperation(operation, context));
      } catch (error) {
        if (!ToolError.is(error) || !DOES_NOT_FIT.has(error.code)) throw error;
        const text = error.code === "PATCH_FAILED" ? error.message : `${operation.path}: ${error.message}`;
        failures.push({ text, error });
      }
    }
    if (failures.length > 0) throw patchFailed(failures);
    return {
      files: files.map(({ path, kind }) => ({ path, kind })),
      diff: files.map(({ diff }) => diff).join(""),
    };
  },

  render: ({ files, diff }, { preview, showPath }) =>
    renderChange(`${files.map(({ path, kind }) => `${kind} ${showPath(path)}`).join(", ")}.`, diff, preview),
});

/** The workspace is not what the patch was made for. Any other failure, a refusal above all, is told as it is. */
const DOES_NOT_FIT: ReadonlySet<string> = new Set([
  "PATCH_FAILED",
  "FILE_NOT_FOUND",
  "PATH_NOT_FOUND",
  "ALREADY_EXISTS",
  "DESTINATION_EXISTS",
  "IS_DIRECTORY",
  "NOT_A_FILE",
  "NOT_A_DIRECTORY",
]);

function patchFailed(failures: readonly { readonly text: string; readonly error: ToolError }[]): ToolError {
  const errors = failures.map(({ error }) => error);
  return new ToolError(
    "PATCH_FAILED",
    `The patch does not fit; nothing was changed.\n\n${failures.map(({ text }) => text).join("\n\n")}`,
    {
      hint: "Read the files again and send hunks that match them.",
      details: { failed: failures.length },
      cause: errors.length === 1 ? errors[0] : new AggregateError(errors),
    },
  );
}
