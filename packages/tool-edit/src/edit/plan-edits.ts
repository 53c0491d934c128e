import { adaptLineEndings } from "../text/adapt-line-endings.js";
import { lineAt } from "../text/line-numbers.js";
import { overlap, type Splice } from "../text/splice-text.js";
import { notFound, notUnique, overlapping, type Target } from "./edit-errors.js";
import type { Replacement } from "./edit-schema.js";
import { findSpan } from "./find-span.js";

export interface EditPlan {
  /** In order, not overlapping, in offsets of the original. */
  readonly splices: readonly Splice[];
  /** What was overlooked to find a place, for the model to know. */
  readonly notes: readonly string[];
}

/** Finds the place of every replacement in the original text; throws unless all have one. */
export function planEdits(target: Target, replacements: readonly Replacement[]): EditPlan {
  const notes: string[] = [];
  const splices = replacements.flatMap((replacement) => {
    const { spans, ignoring } = findSpan(target.text, replacement.old_string, replacement.new_string);
    if (spans.length === 0) throw notFound(target, replacement);
    if (spans.length > 1 && !replacement.replace_all)
      throw notUnique(
        target,
        spans.map(({ start }) => start),
      );
    if (ignoring !== undefined)
      notes.push(`matched ignoring ${ignoring} at line ${lineAt(target.text, spans[0]?.start ?? 0)}`);
    return spans.map((span) => ({
      ...span,
      replacement: adaptLineEndings(target.text, span, span.replacement),
    }));
  });
  const ordered = splices.sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, splice] of ordered.entries()) {
    const next = ordered[index + 1];
    if (next !== undefined && overlap(splice, next))
      throw overlapping(target.path, lineAt(target.text, next.start));
  }
  return { splices: ordered, notes };
}
