import type { RunState, Usage } from "@haft/agent";

/** Time at work in milliseconds, and tokens. */
export interface RunTotals extends Pick<Usage, "inputTokens" | "outputTokens"> {
  readonly activeMs: number;
}

export const NOTHING_YET: RunTotals = { activeMs: 0, inputTokens: 0, outputTokens: 0 };

/** Adds what a run did since it was started or continued. Its state counts anew then, because limits do. */
export function totalOf(before: RunTotals, { activeMs, used }: RunState): RunTotals {
  return {
    activeMs: before.activeMs + activeMs,
    inputTokens: before.inputTokens + used.inputTokens,
    outputTokens: before.outputTokens + used.outputTokens,
  };
}
