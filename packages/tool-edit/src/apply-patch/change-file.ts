import { type ToolContext, ToolError } from "@haft/core";
import type { Pace } from "@haft/core/workspace";
import { spliceText, type TextPlace, truncateLine, unifiedDiff } from "@haft/text";
import { nearestLines } from "../edit/nearest-lines.js";
import { type PlannedFile, planInPart } from "../text/plan-in-part.js";
import { withMarkInText } from "./byte-order-mark.js";
import type { LinkTargets } from "./link-targets.js";
import type { HunkFailure, HunkOutcome } from "./place-hunks.js";

export interface PatchedFile {
  readonly path: string;
  readonly kind: "create" | "modify" | "delete" | "move";
  readonly diff: string;
}

export interface PatchContext
  extends ToolContext<"ReadFiles" | "WriteFiles" | "CreateFiles" | "DeleteFiles"> {
  /** Yields between files and hunks, of which a patch may have thousands. */
  readonly pace: Pace;
  readonly links: LinkTargets;
  /** The encoding of the files that the patch changes, if the caller named one. */
  readonly encoding: string | undefined;
}

/** Runs the work on one file and collects its failure, so that every file that fails is reported. */
export type Attempt = (path: string, work: () => Promise<void>) => Promise<void>;

export interface FileChangePlan {
  readonly path: string;
  readonly moveTo?: string | undefined;
  readonly mode?: number | undefined;
  /** Whether the hunks name the byte order mark of the file. */
  readonly namesMark: boolean;
  /** Where the hunks are, if their old lines alone determine it. */
  readonly place: TextPlace | undefined;
  /** Places the hunks. In a part of the file only exact matches count, because a better one may be elsewhere. */
  placeIn(file: HunkText): Promise<HunkOutcome>;
}

/** The text to place hunks in: a whole file, or the part below a number of lines. */
type HunkText = Pick<PlannedFile, "text" | "linesAbove">;

/** Applies hunks to an existing file, and moves it if requested. Throws PATCH_FAILED if a hunk has no place. */
export async function changeFile(change: FileChangePlan, context: PatchContext): Promise<PatchedFile> {
  const { path, moveTo, mode, namesMark } = change;
  const { workspace, encoding } = context;
  if (moveTo === undefined && mode === undefined && !namesMark) {
    const { file, plan } = await planInPart(workspace, { ...change, encoding }, async (part) => {
      const outcome = await orThrow(await change.placeIn(part), part.text, context);
      return part.linesAbove !== undefined && outcome.notes.length > 0 ? undefined : outcome;
    });
    for (const note of plan.notes) context.warn(note);
    await context.pace.breathe();
    const { diff } = await workspace.spliceText(path, file, plan.splices);
    await context.pace.breathe();
    return { path, kind: "modify", diff: diff(path) };
  }
  const read = await workspace.readTextFile(path, { encoding });
  const file = namesMark ? withMarkInText(read) : read;
  const after = await textAfter(file, change, context);
  await workspace.writeText(path, after, { format: file.format, ...(mode === undefined ? {} : { mode }) });
  if (moveTo !== undefined) await workspace.move(path, moveTo);
  const target = moveTo ?? path;
  return {
    path: target,
    kind: moveTo === undefined ? "modify" : "move",
    diff: unifiedDiff({ path: target, fromPath: path, before: file.text, after }).text,
  };
}

/** Returns the text of a file after its hunks. */
export async function textAfter(
  file: HunkText,
  change: Pick<FileChangePlan, "placeIn">,
  context: PatchContext,
): Promise<string> {
  const { splices, notes } = await orThrow(await change.placeIn(file), file.text, context);
  for (const note of notes) context.warn(note);
  return spliceText(file.text, splices);
}

async function orThrow(outcome: HunkOutcome, text: string, { pace }: PatchContext): Promise<HunkOutcome> {
  if (outcome.failures.length === 0) return outcome;
  const described: string[] = [];
  for (const failure of outcome.failures.slice(0, MAX_DESCRIBED)) {
    described.push(describeFailure(failure, text));
    await pace.breathe();
  }
  const more = outcome.failures
    .slice(MAX_DESCRIBED)
    .map(({ hunk }) => `${hunk.label}: its lines are not in the file`);
  throw new ToolError("PATCH_FAILED", [...described, ...more].join("\n\n"));
}

function describeFailure({ hunk, wanted, anchors = [], reason }: HunkFailure, text: string): string {
  if (reason !== undefined) return `${hunk.label}: ${reason}.`;
  if (wanted.length === 0) return `${hunk.label}: the file ends before the line where it should be inserted.`;
  const missing = wanted.slice(0, MAX_SHOWN).map((line) => `  ${truncateLine(line, 160)}`);
  const anchor = anchors.length > 0 ? ` below ${JSON.stringify(anchors.join(" / "))}` : "";
  const near = nearestLines(text, wanted.join("\n"), 1)[0];
  const hint =
    near === undefined
      ? "Nothing in the file looks similar."
      : `The nearest line is ${near.line}: ${truncateLine(near.text.trim(), 160)}`;
  return [`${hunk.label}: these lines are not in the file${anchor}:`, ...missing, hint].join("\n");
}

// Searching for similar lines costs a pass over the file, so further failures are only named.
const MAX_DESCRIBED = 20;
const MAX_SHOWN = 6;
