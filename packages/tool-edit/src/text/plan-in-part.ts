import { type TextFile, ToolError, type WorkspaceReader } from "@haft/core";
import type { TextFilePart } from "@haft/core/workspace";
import type { TextPlace } from "@haft/text";

/** A text to plan a change on: a whole file, or the affected lines. */
export type PlannedFile = TextFile & Partial<Pick<TextFilePart, "linesAbove" | "lineCount">>;

interface PlannedPlace {
  readonly path: string;
  readonly place: TextPlace | undefined;
  /** The encoding named by the caller. Undefined to detect it. */
  readonly encoding?: string | undefined;
}

interface PlannedChange<Plan> {
  readonly file: PlannedFile;
  readonly plan: Plan;
}

/**
 * Plans a change on the relevant part of a long file. Falls back to the whole file if there is no such part, or if
 * its plan is unusable or fails: error messages always describe the whole file.
 */
export async function planInPart<Plan>(
  workspace: Pick<WorkspaceReader, "readTextFile" | "readTextPart">,
  { path, place, encoding }: PlannedPlace,
  planOn: (file: PlannedFile) => Promise<Plan | undefined> | Plan,
): Promise<PlannedChange<Plan>> {
  const isPart = encoding === undefined && place !== undefined;
  const part = isPart ? await workspace.readTextPart?.(path, place) : undefined;
  const planned = part && (await orNone(() => planOn(part)));
  if (part !== undefined && planned !== undefined) return { file: part, plan: planned };
  const file = await workspace.readTextFile(path, { encoding });
  const plan = await planOn(file);
  if (plan === undefined) throw new TypeError("Planning on the whole file must return a plan or throw");
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
