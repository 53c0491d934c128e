import { type ByteTree, byteTree } from "./byte-tree.js";
import { type CharRanges, intersectRanges, MAX_CODE_POINT, negateRanges } from "./char-ranges.js";
import { perlClass } from "./unicode-class.js";
import { NOT_WORD_TREE, WORD_TREE } from "./unicode-tables.js";
import { utf8Sequences } from "./utf8-sequences.js";

/**
 * Returns the tree of a class. Beyond ASCII, nearly every large class is `\w` or its complement, which are
 * precomputed.
 */
export function classTree(ranges: CharRanges): ByteTree {
  const ready = ranges.length < READY_MADE_FROM ? undefined : readyMade(beyondAscii(ranges));
  if (!ready) return byteTree(utf8Sequences(ranges));
  const states = decodeTree(ready);
  const ascii = byteTree(utf8Sequences(intersectRanges(ranges, [0, 0x7f])));
  const root = states.length - 1;
  states[root] = [...(ascii[0] ?? []), ...(states[root] as number[])];
  return states;
}

const READY_MADE_FROM = 1000;

function readyMade(beyond: CharRanges): string | undefined {
  const words = perlClass("w", true);
  if (sameRanges(beyond, beyondAscii(words))) return WORD_TREE;
  return sameRanges(beyond, beyondAscii(negateRanges(words))) ? NOT_WORD_TREE : undefined;
}

function decodeTree(text: string): number[][] {
  const states: number[][] = [];
  for (let at = 0; at < text.length; ) {
    const stop = at + 1 + text.charCodeAt(at) - NUMBER_ZERO;
    const edges: number[] = [];
    while (++at < stop) edges.push(text.charCodeAt(at) - NUMBER_ZERO);
    states.push(edges);
  }
  return states;
}

const NUMBER_ZERO = 0x4e01;

function beyondAscii(ranges: CharRanges): number[] {
  return intersectRanges(ranges, [0x80, MAX_CODE_POINT]);
}

function sameRanges(left: CharRanges, right: CharRanges): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}
