import { token } from "@haft/core";

/** The part of a configuration's `limits` that applies to searching. */
export interface ConfiguredLimits {
  readonly grepFileBytes?: number;
  readonly grepFileMs?: number;
  readonly callMs?: number;
  readonly maxDepth?: number;
}

/** The `limits` of a configuration file, as passed by the runtime. */
export const CONFIG_LIMITS = token<ConfiguredLimits>("config.limits", () => ({}));

/** Size limit for a file named explicitly. */
export const NAMED_FILE_BYTES = 64 * 1024 * 1024;

/** Maximum number of results per call. */
const MAX_RESULTS = 500;

/** Returns the time for searching, after reserving some for the answer. */
export function timeFor(limitMs: number, remainingMs: number): number {
  return Math.max(1, Math.min(limitMs, remainingMs - Math.min(ANSWER_MS, remainingMs / 4)));
}

const ANSWER_MS = 2_500;

/** Clamps a value and reports it, never silently. */
export function clampResults(asked: number, warn: (message: string) => void): number {
  if (asked <= MAX_RESULTS) return asked;
  warn(`max_results is at most ${MAX_RESULTS}; ${asked} was lowered to it`);
  return MAX_RESULTS;
}
