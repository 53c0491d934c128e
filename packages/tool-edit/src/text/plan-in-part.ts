import { type TextFile, type TextFilePart, ToolError, type WorkspaceReader } from "@haft/core";
import type { TextPlace } from "@haft/text";

/** A text to plan a change on: a whole file, or the lines of it that the change is about. */
export type PlannedFile = TextFile & Partial<Pick<TextFilePart, "linesAbove" | "lineCount">>;

export interface PlannedChange<Plan> {
  readonly file: PlannedFile;
  readonly plan: Plan;
}

/**
 * Plans a change on the part of a long file that it is about; on the whole where there is no such part, and where
 * the part's plan is no good or fails: whatever a refusal says, it says of the whole file.
 */
export async function planInPart<Plan>(
  workspace: Pick<WorkspaceReader, "readTextFile" | "readTextPart">,
  { path, place }: { readonly path: string; readonly place: TextPlace | undefined },
  planOn: (file: PlannedFile) => Promise<Plan | undefined> | Plan,
): Promise<PlannedChange<Plan>> {
  const part = place && (await workspace.readTextPart?.(path, place));
  const planned = part && (await orNone(() => planOn(part)));
  if (part !== undefined && planned !== undefined) return { file: part, plan: planned };
  const file = await workspace.readTextFile(path);
  const plan = await planOn(file);
  if (plan === undefined) throw new TypeError("On a whole text there is a plan or an error");
  return { file, plan };
}

async function orNone<Plan>(plan: () => Promise<Plan | undefined> | Plan): Promise<Plan | undefined> {
  try {
    return await plan();
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
