/** What bounds a run. */
export interface RunLimits {
  /** Model turns, the closing one not counted. */
  readonly maxSteps: number;
  /** Time spent thinking and acting; the clock stands still while people are asked. */
  readonly activeMs: number;
  /** Calls at work at the same time; those that wait for a person do not count. */
  readonly maxRunning: number;
  /** Calls of one turn that are made; the rest is answered with LIMIT_EXCEEDED. */
  readonly maxCalls: number;
  /** The most text of one result that a model is sent. */
  readonly resultChars: number;
  readonly resultLines: number;
  /** The newest results, in estimated tokens, are never cleared from what a model is sent. */
  readonly keepTokens: number;
  /** Older ones are cleared only when that frees this much: each time costs the prompt cache. */
  readonly clearTokens: number;
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
};
