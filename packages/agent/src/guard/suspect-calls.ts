import { canonicalJson } from "@haft/core/kernel";
import type { ProposedCall } from "../event/proposed-call.js";
import { fingerprint } from "./fingerprint.js";
import { type MadeCall, repeatedCycle, SUSPICIOUS_ROUNDS } from "./repeated-cycle.js";

/** Finds calls that would only continue a cycle repeated too often. Returns, by index, the call each one repeats. */
export function suspectCalls(
  calls: readonly ProposedCall[],
  history: readonly MadeCall[],
): ReadonlyMap<number, string> {
  const suspects = new Map<number, string>();
  const { length, rounds } = repeatedCycle(history);
  if (rounds < SUSPICIOUS_ROUNDS) return suspects;
  const cycle = history.slice(-length);
  let place = 0;
  let previous: string | undefined;
  for (const call of calls) {
    const key = callKey(call);
    // The same call twice in one turn counts as one step of the cycle.
    if (key === previous) place -= 1;
    const expected = cycle[place % length];
    if (expected?.call !== key) break;
    suspects.set(call.index, expected.whole);
    previous = key;
    place += 1;
  }
  return suspects;
}

export function callKey({ tool, args, rawArgs }: ProposedCall): string {
  return fingerprint(canonicalJson([tool, args ?? rawArgs]));
}
