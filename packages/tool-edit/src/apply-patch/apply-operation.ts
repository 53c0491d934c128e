import { type ToolContext, ToolError } from "@haft/core";
import { type Splice, spliceText, type TextPlace, truncateLine, unifiedDiff } from "@haft/text";
import { nearestLines } from "../edit/nearest-lines.js";
import { type PlannedFile, planInPart } from "../text/plan-in-part.js";
import { searchPace } from "../text/search-pace.js";
import { type Hunk, oldLines, type PatchOperation } from "./patch.js";
import { type HunkFailure, type HunkOutcome, placeHunks } from "./place-hunks.js";

export interface PatchedFile {
  readonly path: string;
  readonly kind: "create" | "modify" | "delete" | "move";
  readonly diff: string;
}

type PatchContext = ToolContext<"ReadFiles" | "WriteFiles" | "CreateFiles" | "DeleteFiles">;

/** Does what one section of a patch asks for; PATCH_FAILED when a hunk has no place. */
export async function applyOperation(operation: PatchOperation, context: PatchContext): Promise<PatchedFile> {
  const { workspace } = context;
  const { path } = operation;
  if (operation.kind === "add") {
    await workspace.createText(path, operation.text, modeOf(operation));
    return { path, kind: "create", diff: unifiedDiff({ path, after: operation.text }).text };
  }
  if (operation.kind === "copy") return copyFile(operation, context);
  if (operation.kind === "update") return updateFile(operation, context);
  const { text } = await workspace.readTextFile(path);
  await workspace.remove(path);
  return { path, kind: "delete", diff: unifiedDiff({ path, before: text }).text };
}

async function copyFile(
  operation: Extract<PatchOperation, { kind: "copy" }>,
  context: PatchContext,
): Promise<PatchedFile> {
  const { copyTo } = operation;
  const file = await context.workspace.readTextFile(operation.path);
  const text = spliceText(file.text, await splicesFor(file.text, operation.hunks, context));
  const { mode = file.mode } = operation;
  await context.workspace.createText(copyTo, text, { format: file.format, mode });
  return { path: copyTo, kind: "create", diff: unifiedDiff({ path: copyTo, after: text }).text };
}

async function updateFile(
  operation: Extract<PatchOperation, { kind: "update" }>,
  context: PatchContext,
): Promise<PatchedFile> {
  const { path, moveTo } = operation;
  const { workspace } = context;
  if (moveTo === undefined && operation.mode === undefined) {
    const place = placeOf(operation.hunks);
    const { file, plan } = await planInPart(workspace, { path, place }, (text) =>
      placeIn(text, operation.hunks, context),
    );
    for (const note of plan.notes) context.warn(note);
    const { diff } = await workspace.spliceText(path, file, plan.splices);
    return { path, kind: "modify", diff: diff(path) };
  }
  const file = await workspace.readTextFile(path);
  const splices = await splicesFor(file.text, operation.hunks, context);
  const after = spliceText(file.text, splices);
  await workspace.writeText(path, after, { format: file.format, ...modeOf(operation) });
  if (moveTo !== undefined) await workspace.move(path, moveTo);
  const target = moveTo ?? path;
  return {
    path: target,
    kind: moveTo === undefined ? "modify" : "move",
    diff: unifiedDiff({ path: target, fromPath: path, before: file.text, after }).text,
  };
}

function modeOf({ mode }: { readonly mode?: number }): { readonly mode?: number } {
  return mode === undefined ? {} : { mode };
}

async function splicesFor(
  text: string,
  hunks: readonly Hunk[],
  context: PatchContext,
): Promise<readonly Splice[]> {
  const { splices, notes } = await placeAll(text, hunks, context);
  for (const note of notes) context.warn(note);
  return splices;
}

async function placeAll(
  text: string,
  hunks: readonly Hunk[],
  { signal }: PatchContext,
): Promise<HunkOutcome> {
  const outcome = await placeHunks(text, hunks, searchPace(signal));
  if (outcome.failures.length > 0) throw hunksFailed(outcome.failures, text);
  return outcome;
}

/** Where the old lines of all hunks stand, if that is all that tells their places. */
function placeOf(hunks: readonly Hunk[]): TextPlace | undefined {
  if (hunks.some(({ anchors, isAtEnd }) => anchors.length > 0 || isAtEnd)) return undefined;
  return { find: hunks.map((hunk) => oldLines(hunk).join("\n")) };
}

/** In a part only what fits exactly is known to be the place: what nearly does may do so better elsewhere. */
async function placeIn(
  { text, linesAbove }: PlannedFile,
  hunks: readonly Hunk[],
  context: PatchContext,
): Promise<HunkOutcome | undefined> {
  if (linesAbove === undefined) return placeAll(text, hunks, context);
  const moved = hunks.map((hunk) =>
    hunk.oldStart === undefined ? hunk : { ...hunk, oldStart: hunk.oldStart - linesAbove },
  );
  const outcome = await placeAll(text, moved, context);
  return outcome.notes.length > 0 ? undefined : outcome;
}

function hunksFailed(failures: readonly HunkFailure[], text: string): ToolError {
  const described = failures.slice(0, MAX_DESCRIBED).map((failure) => describeFailure(failure, text));
  const more = failures
    .slice(MAX_DESCRIBED)
    .map(({ hunk }) => `${hunk.label}: its lines are not in the file`);
  return new ToolError("PATCH_FAILED", [...described, ...more].join("\n\n"));
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

// To look for similar lines costs a pass over the file; what is beyond this is named only.
const MAX_DESCRIBED = 20;
const MAX_SHOWN = 6;
