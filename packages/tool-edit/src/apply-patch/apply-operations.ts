import { relativePath } from "@haft/core/workspace";
import { type TextPlace, unifiedDiff } from "@haft/text";
import { namesMark } from "./byte-order-mark.js";
import { type Attempt, changeFile, type PatchContext, type PatchedFile } from "./change-file.js";
import { type MarkedHunk, type PatchOperation, placeOfHunks } from "./patch.js";
import { placeHunks } from "./place-hunks.js";

/** Applies the sections of a `*** Begin Patch` block one after the other, as codex does. */
export async function applyOperations(
  operations: readonly PatchOperation[],
  context: PatchContext,
  attempt: Attempt,
): Promise<readonly PatchedFile[]> {
  const patched: PatchedFile[] = [];
  for (const operation of operations) {
    await context.pace.breathe();
    await attempt(operation.path, async () => {
      patched.push(await applyOperation(operation, context));
    });
  }
  return patched;
}

async function applyOperation(operation: PatchOperation, context: PatchContext): Promise<PatchedFile> {
  const { workspace, pace, encoding } = context;
  const path = relativePath(operation.path, workspace);
  if (operation.kind === "add") {
    await workspace.createText(path, operation.text);
    return { path, kind: "create", diff: unifiedDiff({ path, after: operation.text }).text };
  }
  if (operation.kind === "delete") {
    const { text } = await workspace.readTextFile(path, { encoding });
    await workspace.remove(path);
    return { path, kind: "delete", diff: unifiedDiff({ path, before: text }).text };
  }
  const { hunks } = operation;
  const moveTo = operation.moveTo === undefined ? undefined : relativePath(operation.moveTo, workspace);
  return changeFile(
    {
      path,
      moveTo,
      namesMark: namesMark(hunks),
      place: placeOf(hunks),
      placeIn: ({ text, linesAbove = 0 }) => placeHunks(text, hunks, { linesAbove, pace }),
    },
    context,
  );
}

function placeOf(hunks: readonly MarkedHunk[]): TextPlace | undefined {
  const isAnchored = hunks.some(({ anchors, isAtEnd }) => anchors.length > 0 || isAtEnd);
  return isAnchored ? undefined : placeOfHunks(hunks);
}
