import type { Splice } from "@haft/text";

/** Returns whether two splices, ordered by start, touch the same characters. */
export function overlap(first: Splice, second: Splice): boolean {
  return second.start < first.end || (second.start === first.start && second.end === first.end);
}
