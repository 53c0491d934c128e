import type { CreateChange, FileChange, ModifyChange } from "./file-change.js";

/**
 * What takes the place of the last change of a list when another is recorded after it. Consecutive changes of one path become one, so that a person
 * is shown what happens to a file and not how the tool got there. Only the last change is ever
 * merged into: the order of everything else is what makes the list replayable.
 */
export function recordChange(last: FileChange | undefined, next: FileChange): readonly FileChange[] {
  if (last === undefined) return [next];
  if (next.kind === "move" || next.kind === "create" || last.path !== next.path) return [last, next];
  return merge(last, next) ?? [last, next];
}

/** The two as at most one, or undefined when they cannot be. */
function merge(last: FileChange, next: FileChange): readonly FileChange[] | undefined {
  if (last.kind === "create" && next.kind === "modify")
    return [{ ...last, after: next.after } satisfies CreateChange];
  if (last.kind === "create" && next.kind === "delete") return [];
  if (last.kind === "modify" && next.kind === "modify") return mergeModify(last, next);
  if (last.kind === "modify" && next.kind === "delete") return [{ ...next, before: last.before }];
  return undefined;
}

function mergeModify(first: ModifyChange, second: ModifyChange): readonly FileChange[] {
  const { hash, mode } = second.after.type === "kept" ? second.after.was : second.after;
  const isBack = first.before.hash === hash && (mode ?? first.before.mode) === first.before.mode;
  return isBack ? [] : [{ ...first, after: second.after }];
}
