/** An executed call and its result, both as fingerprints. */
export interface MadeCall {
  readonly call: string;
  /** Tool, arguments and result. Polling with changing results is not a loop. */
  readonly whole: string;
}

interface Cycle {
  readonly length: number;
  readonly rounds: number;
}

/** Returns the shortest cycle with the most repetitions at the end of the history. One round is not a repetition. */
export function repeatedCycle(history: readonly MadeCall[]): Cycle {
  let found: Cycle = { length: 1, rounds: 1 };
  for (let length = 1; length <= MAX_CYCLE; length += 1) {
    const rounds = roundsOf(history, length);
    if (rounds > found.rounds) found = { length, rounds };
  }
  return found;
}

/** After this many rounds, the next round is not executed. */
export const SUSPICIOUS_ROUNDS = 3;
/** After this many rounds, the run ends. */
export const HOPELESS_ROUNDS = 5;
const MAX_CYCLE = 5;

/** Enough calls for the longest cycle to become hopeless. */
export const HISTORY_LENGTH = MAX_CYCLE * HOPELESS_ROUNDS;

/** Counts how often the newest `length` calls repeat in a row. */
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
