/**
 * The encodings of a character class as separate states: each a list of triples [low, high, next], with -1 for "the
 * character is complete". The last state is the entry.
 */
export type ByteTree = readonly (readonly number[])[];

/** Shares equal tails: `\w` has some 800 ranges but only a few hundred different ends. */
export function byteTree(sequences: readonly (readonly number[])[]): ByteTree {
  const states: number[][] = [];
  const known = new Map<string, number>();
  const build = (from: number, to: number, depth: number): number => {
    const edges: number[] = [];
    for (let at = from; at < to; ) {
      const first = sequences[at] as readonly number[];
      let stop = at + 1;
      while (stop < to && sameRange(first, sequences[stop] as readonly number[], depth)) stop++;
      const target = first.length === depth + 2 ? -1 : build(at, stop, depth + 2);
      edges.push(first[depth] as number, first[depth + 1] as number, target);
      at = stop;
    }
    const key = edges.join();
    const found = depth === 0 ? undefined : known.get(key);
    if (found !== undefined) return found;
    known.set(key, states.push(edges) - 1);
    return states.length - 1;
  };
  build(0, sequences.length, 0);
  return states;
}

function sameRange(left: readonly number[], right: readonly number[], depth: number): boolean {
  return left[depth] === right[depth] && left[depth + 1] === right[depth + 1];
}
