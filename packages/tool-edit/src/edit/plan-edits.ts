import type { Pace } from "@haft/core/workspace";
import { lineAt, type Splice } from "@haft/text";
import { type AdaptLineEndings, lineEndingAdapter } from "../text/adapt-line-endings.js";
import { growsTooLarge, MAX_ADDED_CHARS, MatchLimit } from "../text/match-limit.js";
import { notFound, notUnique, overlapping, type Target } from "./edit-errors.js";
import type { Replacement } from "./edit-schema.js";
import { type Found, findSpan } from "./find-span.js";
import { searchedText } from "./searched-text.js";

interface EditPlan {
  /** In order, not overlapping, in offsets of the original. */
  readonly splices: readonly Splice[];
  /** The differences ignored to find a place, for the model. */
  readonly notes: readonly string[];
}

/** Finds the place of every replacement in the original text. Throws unless all have one. */
export async function planEdits(
  target: Target,
  replacements: readonly Replacement[],
  pace: Pace,
): Promise<EditPlan> {
  const notes: string[] = [];
  const splices: Splice[] = [];
  const searched = searchedText(target.text);
  const rules = { limit: new MatchLimit(target), adapt: lineEndingAdapter(target.text) };
  for (const replacement of replacements) {
    const { old_string: wanted, new_string } = replacement;
    const found = await findSpan(searched, { wanted, replacement: new_string }, pace);
    if (found.spans.length === 0) throw await notFound(target, replacement, pace);
    assertUnique(target, replacement, found);
    if (found.ignoring !== undefined)
      notes.push(
        `matched ignoring ${found.ignoring} at line ${lineAt(target.text, found.spans[0]?.start ?? 0)}`,
      );
    for (const splice of splicesOf(found, rules)) splices.push(splice);
  }
  if (rules.limit.addedChars > MAX_ADDED_CHARS)
    throw growsTooLarge(target.text.length, rules.limit.addedChars);
  return { splices: inOrder(target, splices), notes };
}

function assertUnique(target: Target, replacement: Replacement, { spans }: Found): void {
  if (spans.length === 1 || replacement.replace_all) return;
  throw notUnique(
    target,
    spans.map(({ start }) => start),
  );
}

function* splicesOf(
  { spans }: Found,
  { limit, adapt }: { limit: MatchLimit; adapt: AdaptLineEndings },
): Generator<Splice> {
  for (const span of spans) {
    limit.count(span);
    yield { ...span, replacement: adapt(span, span.replacement) };
  }
}

function inOrder(target: Target, splices: Splice[]): readonly Splice[] {
  const ordered = splices.sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, splice] of ordered.entries()) {
    const next = ordered[index + 1];
    if (next !== undefined && overlap(splice, next))
      throw overlapping(target.path, lineAt(target.text, next.start));
  }
  return ordered;
}

/** Returns whether two splices, ordered by start, touch the same characters. */
function overlap(first: Splice, second: Splice): boolean {
  return second.start < first.end || (second.start === first.start && second.end === first.end);
}
