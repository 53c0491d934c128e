import { defineTool, s, ToolError } from "@haft/core";
import { Pace } from "@haft/core/workspace";
import { dryRun, fileEncoding, MAX_CONTENT_CHARS } from "../parameters.js";
import { renderChange } from "../render-change.js";
import { applyFileDiffs } from "./apply-file-diffs.js";
import { applyOperations } from "./apply-operations.js";
import type { Attempt } from "./change-file.js";
import { LinkTargets } from "./link-targets.js";
import { parsePatch } from "./parse-patch.js";

export const ApplyPatch = defineTool({
  name: "apply_patch",
  summary: "Apply a patch to one or more files: all of it or none.",
  brief: {
    description: "Apply a unified diff or a *** Begin Patch block. All of it is applied, or none.",
    parameters: {
      patch: "",
    },
  },
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
    encoding: fileEncoding,
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
    "A unified diff needs correct line counts and a line of context after each change. In a *** Begin Patch block, @@ lines may name the function or class above a change.",
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

  async run({ patch, encoding }, toolContext) {
    const { signal, workspace } = toolContext;
    const context = { ...toolContext, pace: new Pace(signal), links: new LinkTargets(workspace), encoding };
    const parsed = parsePatch(patch);
    const failures: Failure[] = [];
    const attempt: Attempt = async (path, work) => {
      await work().catch((error: unknown) => {
        if (!ToolError.is(error) || !DOES_NOT_FIT.has(error.code)) throw error;
        failures.push({
          text: error.code === "PATCH_FAILED" ? error.message : `${path}: ${error.message}`,
          error,
        });
      });
    };
    const files =
      parsed.grammar === "marked"
        ? await applyOperations(parsed.operations, context, attempt)
        : await applyFileDiffs(parsed, context, attempt);
    if (failures.length > 0) throw patchFailed(failures);
    return {
      files: files.map(({ path, kind }) => ({ path, kind })),
      diff: files.map(({ diff }) => diff).join(""),
    };
  },

  render: ({ files, diff }, { showPath }) =>
    renderChange(`${files.map(({ path, kind }) => `${kind} ${showPath(path)}`).join(", ")}.`, diff),
});

/** The workspace does not match the patch. All other failures keep their own code. */
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

interface Failure {
  readonly text: string;
  readonly error: ToolError;
}

function patchFailed(failures: readonly Failure[]): ToolError {
  const errors = failures.map(({ error }) => error);
  return new ToolError(
    "PATCH_FAILED",
    `The patch does not apply; nothing was changed.\n\n${failures.map(({ text }) => text).join("\n\n")}`,
    {
      hint: "Read the files again and send hunks that match them.",
      details: { failed: failures.length },
      cause: errors.length === 1 ? errors[0] : new AggregateError(errors),
    },
  );
}
