import type { RunState, Usage } from "@haft/agent";

/** Active time in milliseconds, and tokens. */
export interface RunTotals extends Pick<Usage, "inputTokens" | "outputTokens"> {
  readonly activeMs: number;
}

export const NOTHING_YET: RunTotals = { activeMs: 0, inputTokens: 0, outputTokens: 0 };

/**
 * Adds the totals of the run since it was started or continued. Its state restarts these counts, because limits apply
 * to each part.
 */
export function totalOf(before: RunTotals, { activeMs, used }: RunState): RunTotals {
  return {
    activeMs: before.activeMs + activeMs,
    inputTokens: before.inputTokens + used.inputTokens,
    outputTokens: before.outputTokens + used.outputTokens,
  };
}
