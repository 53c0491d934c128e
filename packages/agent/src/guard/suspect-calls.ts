import { canonicalJson } from "@haft/core";
import type { ProposedCall } from "../event/proposed-call.js";
import { fingerprint } from "./fingerprint.js";
import { type MadeCall, repeatedCycle, SUSPICIOUS_ROUNDS } from "./repeated-cycle.js";

/**
 * For each call the one it repeats when it would only go on with a circle that was gone round often
 * enough, by index.
 */
export function suspectCalls(
  calls: readonly ProposedCall[],
  history: readonly MadeCall[],
): ReadonlyMap<number, string> {
  const suspects = new Map<number, string>();
  const { length, rounds } = repeatedCycle(history);
  if (rounds < SUSPICIOUS_ROUNDS) return suspects;
  const circle = history.slice(-length);
  let place = 0;
  let previous: string | undefined;
  for (const call of calls) {
    const key = callKey(call);
    // The same call twice in one turn is one step of the circle.
    if (key === previous) place -= 1;
    const expected = circle[place % length];
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
