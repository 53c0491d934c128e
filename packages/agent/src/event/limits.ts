/** What bounds a run. Active time stops while a person is asked. */
export interface RunLimits {
  readonly maxSteps: number;
  readonly activeMs: number;
  readonly maxRunning: number;
}

export const DEFAULT_LIMITS: RunLimits = { maxSteps: 30, activeMs: 15 * 60_000, maxRunning: 8 };
