import { type CreateChange, directoryWithMode, type FileChange, type ModifyChange } from "./file-change.js";

/**
 * Returns the replacement for the last change of a list when another is recorded after it. Consecutive changes of one
 * path are merged, so a user sees the net effect on a file, not the steps. Only the last change is ever merged into:
 * the list must stay replayable in order.
 */
export function recordChange(last: FileChange | undefined, next: FileChange): readonly FileChange[] {
  if (last === undefined) return [next];
  if (next.kind === "move" || next.kind === "create" || last.path !== next.path) return [last, next];
  return merge(last, next) ?? [last, next];
}

/** Merges two changes into at most one. Returns undefined if they cannot be merged. */
function merge(last: FileChange, next: FileChange): readonly FileChange[] | undefined {
  if (last.kind === "create" && next.kind === "modify")
    return [{ ...last, after: next.after } satisfies CreateChange];
  if (last.kind === "create" && next.kind === "delete") return [];
  if (last.kind === "modify" && next.kind === "modify") return mergeModify(last, next);
  if (last.kind === "modify" && next.kind === "delete") return [{ ...next, before: last.before }];
  return undefined;
}

function mergeModify(first: ModifyChange, second: ModifyChange): readonly FileChange[] {
  const { hash, mode } = stateAfter(second);
  const isBack = first.before.hash === hash && (mode ?? first.before.mode) === first.before.mode;
  return isBack ? [] : [{ ...first, after: second.after }];
}

function stateAfter({ after }: ModifyChange): { readonly hash: string; readonly mode?: number } {
  if (after.type === "kept") return after.was;
  return after.type === "directory" ? directoryWithMode(after.mode) : after;
}
