import type { RunState } from "../state/run-state.js";

/** Returns the results to clear: all but the newest, once clearing frees enough. The log keeps them. */
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
