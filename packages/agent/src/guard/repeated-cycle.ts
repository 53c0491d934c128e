/** A call that was made and what came of it, both as fingerprints. */
export interface MadeCall {
  /** Tool and arguments. */
  readonly call: string;
  /** Tool, arguments and result: a poll whose answer changes does not go round in circles. */
  readonly whole: string;
}

export interface Cycle {
  readonly length: number;
  readonly rounds: number;
}

/** The shortest cycle that the newest calls repeat most often; one round is no repetition. */
export function repeatedCycle(history: readonly MadeCall[]): Cycle {
  let found: Cycle = { length: 1, rounds: 1 };
  for (let length = 1; length <= MAX_CYCLE; length += 1) {
    const rounds = roundsOf(history, length);
    if (rounds > found.rounds) found = { length, rounds };
  }
  return found;
}

/** Seen this often, the next round of a cycle is not made any more. */
export const SUSPICIOUS_ROUNDS = 3;
/** Seen this often, the run ends. */
export const HOPELESS_ROUNDS = 5;
const MAX_CYCLE = 5;

/** As many calls as the longest cycle needs to become hopeless. */
export const KEPT_CALLS = MAX_CYCLE * HOPELESS_ROUNDS;

/** How often the newest `length` calls stand there one after the other. */
function roundsOf(history: readonly MadeCall[], length: number): number {
  if (history.length < length) return 0;
  let matching = length;
  while (matching < history.length) {
    const index = history.length - 1 - matching;
    if (history[index]?.whole !== history[index + length]?.whole) break;
    matching += 1;
  }
  return Math.floor(matching / length);
}
