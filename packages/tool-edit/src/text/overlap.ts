import type { Splice } from "@haft/text";

/** True when two splices, in order of their start, touch the same characters. */
export function overlap(first: Splice, second: Splice): boolean {
  return second.start < first.end || (second.start === first.start && second.end === first.end);
}
