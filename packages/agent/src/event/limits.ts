export interface RunLimits {
  /** Model turns, excluding the closing one. */
  readonly maxSteps: number;
  /** Time spent on model turns and calls, excluding the time spent waiting for approval. */
  readonly activeMs: number;
  /** Calls running at the same time, excluding those waiting for approval. */
  readonly maxRunning: number;
  /** Calls executed per turn. Further calls get LIMIT_EXCEEDED. */
  readonly maxCalls: number;
  /** Maximum text of one result sent to the model. */
  readonly resultChars: number;
  readonly resultLines: number;
  /** The newest results, in estimated tokens, that always stay in the conversation. */
  readonly keepTokens: number;
  /** Older results are cleared only if this frees enough tokens, because clearing invalidates the prompt cache. */
  readonly clearTokens: number;
  /** How long to retry a failing model, beyond the first three attempts. */
  readonly retryMs: number;
  /** The model's context window in tokens, if known. The run compacts before it is full. */
  readonly contextTokens?: number;
  /** Total input and output tokens of all turns. */
  readonly maxTokens?: number;
  /** In the currency of `prices`, which it requires. */
  readonly maxCost?: number;
  readonly prices?: TokenPrices;
}

export interface TokenPrices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

/** Returns the cost in the currency of the prices. */
export function costOf(
  used: { readonly inputTokens: number; readonly outputTokens: number },
  { inputPerMillion, outputPerMillion }: TokenPrices,
): number {
  return (used.inputTokens * inputPerMillion + used.outputTokens * outputPerMillion) / 1_000_000;
}

export const DEFAULT_LIMITS: RunLimits = {
  maxSteps: 30,
  activeMs: 15 * 60_000,
  maxRunning: 8,
  maxCalls: 256,
  resultChars: 50 * 1024,
  resultLines: 2_000,
  keepTokens: 40_000,
  clearTokens: 20_000,
  retryMs: 0,
};
