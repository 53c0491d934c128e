import { defineTool, s, type ToolContext, ToolError } from "@haft/core";
import { truncateLine, unifiedDiff } from "@haft/text";
import { nearestLines } from "../edit/nearest-lines.js";
import { dryRun, MAX_CONTENT_CHARS } from "../parameters.js";
import { renderChange } from "../render-change.js";
import { applyHunks, type HunkFailure } from "./apply-hunks.js";
import { parsePatch } from "./parse-patch.js";
import type { PatchOperation } from "./patch.js";

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

  async run({ patch }, { workspace, warn }) {
    const failures: string[] = [];
    const files: PatchedFile[] = [];
    for (const operation of parsePatch(patch)) {
      try {
        files.push(await applyOperation(operation, workspace, warn));
      } catch (error) {
        if (!ToolError.is(error) || error.code === "PERMISSION_DENIED") throw error;
        failures.push(error.code === "PATCH_FAILED" ? error.message : `${operation.path}: ${error.message}`);
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

type PatchWorkspace = ToolContext<"ReadFiles" | "WriteFiles" | "CreateFiles" | "DeleteFiles">["workspace"];

interface PatchedFile {
  readonly path: string;
  readonly kind: "create" | "modify" | "delete" | "move";
  readonly diff: string;
}

async function applyOperation(
  operation: PatchOperation,
  workspace: PatchWorkspace,
  warn: (note: string) => void,
): Promise<PatchedFile> {
  const { path } = operation;
  if (operation.kind === "add") {
    await workspace.createText(
      path,
      operation.text,
      operation.mode === undefined ? {} : { mode: operation.mode },
    );
    return {
      path,
      kind: "create",
      diff: unifiedDiff({ path, before: undefined, after: operation.text }).text,
    };
  }
  const file = await workspace.readTextFile(path);
  if (operation.kind === "delete") {
    await workspace.remove(path);
    return { path, kind: "delete", diff: unifiedDiff({ path, before: file.text, after: undefined }).text };
  }
  const outcome = applyHunks(file.text, operation.hunks);
  if (outcome.failures.length > 0)
    throw new ToolError(
      "PATCH_FAILED",
      outcome.failures.map((failure) => describeFailure(failure, file.text)).join("\n\n"),
    );
  for (const note of outcome.notes) warn(note);
  await workspace.writeText(path, outcome.text, {
    format: file.format,
    ...(operation.mode === undefined ? {} : { mode: operation.mode }),
  });
  if (operation.moveTo !== undefined) await workspace.move(path, operation.moveTo);
  const target = operation.moveTo ?? path;
  return {
    path: target,
    kind: operation.moveTo === undefined ? "modify" : "move",
    diff: unifiedDiff({ path: target, fromPath: path, before: file.text, after: outcome.text }).text,
  };
}

function describeFailure({ hunk, wanted }: HunkFailure, text: string): string {
  const missing = wanted.slice(0, MAX_SHOWN).map((line) => `  ${truncateLine(line, 160)}`);
  const anchor = hunk.anchors.length > 0 ? ` below ${JSON.stringify(hunk.anchors.join(" / "))}` : "";
  const near = nearestLines(text, wanted.join("\n"), 1)[0];
  const hint =
    near === undefined
      ? "Nothing in the file looks similar."
      : `The nearest line is ${near.line}: ${truncateLine(near.text.trim(), 160)}`;
  return [`${hunk.label}: these lines are not in the file${anchor}:`, ...missing, hint].join("\n");
}

const MAX_SHOWN = 6;

function patchFailed(failures: readonly string[]): ToolError {
  return new ToolError(
    "PATCH_FAILED",
    `The patch does not fit; nothing was changed.\n\n${failures.join("\n\n")}`,
    {
      hint: "Read the files again and send hunks that match them.",
      details: { failed: failures.length },
    },
  );
}
