import { token } from "@haft/core";

/** The part of a configuration's `limits` that searching obeys. */
export interface ConfiguredLimits {
  readonly grepFileBytes?: number;
  readonly grepFileMs?: number;
  readonly callMs?: number;
  readonly maxDepth?: number;
}

/** The `limits` of a configuration file, as a runtime hands them on. */
export const CONFIG_LIMITS = token<ConfiguredLimits>("config.limits", () => ({}));

/** A file that is named is searched up to this size: who names it wants it. */
export const NAMED_FILE_BYTES = 64 * 1024 * 1024;

/** The most results one call returns, whatever it asks for. */
export const MAX_RESULTS = 500;

/** What is left of the call's own time after some is kept for the answer. */
export function timeFor(limitMs: number, remainingMs: number): number {
  return Math.max(1, Math.min(limitMs, remainingMs - Math.min(ANSWER_MS, remainingMs / 4)));
}

const ANSWER_MS = 2_500;

/** A clamp that is told, never silent. */
export function clampResults(asked: number, warn: (message: string) => void): number {
  if (asked <= MAX_RESULTS) return asked;
  warn(`max_results is at most ${MAX_RESULTS}; ${asked} was lowered to it`);
  return MAX_RESULTS;
}
