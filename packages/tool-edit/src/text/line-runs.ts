import type { Pace } from "@haft/core/workspace";
import { bordersOf } from "./occurrences.js";

/** Lines with comparison keys: two match if their keys are equal. */
export interface KeyedLines {
  readonly length: number;
  keyAt(index: number): string;
}

/**
 * Finds where a run of lines starts, at or after `from`, in order, until `visit` returns true. Linear in the lines and
 * the run, even if most lines are alike.
 */
export async function visitRuns(
  lines: KeyedLines,
  run: readonly string[],
  { from, pace, visit }: { from: number; pace: Pace; visit(start: number): boolean },
): Promise<void> {
  const borders = await bordersOf(run.length, (a, b) => run[a] === run[b], pace);
  let matched = 0;
  for (let index = from; index < lines.length; index += 1) {
    if (index % 256 === 0) await pace.breathe();
    const key = lines.keyAt(index);
    while (matched > 0 && key !== run[matched]) matched = borders[matched - 1] ?? 0;
    if (key === run[matched]) matched += 1;
    if (matched < run.length) continue;
    if (visit(index - matched + 1)) return;
    matched = borders[matched - 1] ?? 0;
  }
}
