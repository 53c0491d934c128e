import type { RunState } from "../state/run-state.js";

/**
 * The results that a model need not be sent again: all but the newest, once enough has gathered for it
 * to pay. Nothing is deleted; a cleared result only reads as such.
 */
export function planCompaction({ results, limits }: Pick<RunState, "results" | "limits">): readonly string[] {
  let kept = 0;
  let freed = 0;
  const cleared: string[] = [];
  for (const { callId, tokens } of results.toReversed()) {
    kept += tokens;
    if (kept <= limits.keepTokens) continue;
    freed += tokens;
    cleared.push(callId);
  }
  return freed >= limits.clearTokens ? cleared.reverse() : [];
}
