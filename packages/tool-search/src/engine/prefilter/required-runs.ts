import type { CharRanges } from "../regex/char-ranges.js";
import type { RegexNode, RepeatNode } from "../regex/regex-node.js";
import { utf8Sequences } from "../regex/utf8-sequences.js";
import { type ByteSet, byteSet, uniteSets } from "./byte-set.js";

/** Consecutive bytes, each from its set. */
export type Run = readonly ByteSet[];

/** Runs of which at least one stands in every match. */
export type Requirement = readonly Run[];

/** What is known about every text that a part of a pattern matches. */
export interface Knowledge {
  /** The whole text, when its length is fixed. */
  readonly exact: Run | undefined;
  /** `exact` holds nothing but matches, without conditions on the position. */
  readonly precise: boolean;
  readonly head: Run;
  readonly tail: Run;
  readonly requirements: readonly Requirement[];
}

/** Collects what every match of the pattern must contain, so that a scan can skip what cannot match. */
export function requiredRuns(node: RegexNode): Knowledge {
  switch (node.kind) {
    case "empty":
      return exactly([], true);
    case "assert":
      return exactly([], false);
    case "class":
      return node.unit === "byte" ? exactly([byteSet(node.ranges)], true) : charKnowledge(node.ranges);
    case "concat":
      return concatKnowledge(node.parts.map(requiredRuns));
    case "alternate":
      return alternateKnowledge(node.branches.map(requiredRuns));
    case "repeat":
      return repeatKnowledge(node);
  }
}

const MAX_RUN = 64;
const MAX_ALTERNATIVES = 32;

function exactly(run: Run, precise: boolean): Knowledge {
  return { exact: run, precise, head: run, tail: run, requirements: run.length > 0 ? [[run]] : [] };
}

function charKnowledge(ranges: CharRanges): Knowledge {
  const sequences = utf8Sequences(ranges);
  const lengths = new Set(sequences.map((sequence) => sequence.length));
  if (lengths.size === 1) {
    const width = (sequences[0] as number[]).length;
    const run = Array.from({ length: width / 2 }, (_, index) => unionAt(sequences, () => index * 2));
    return exactly(run, width === 2 || sequences.length === 1);
  }
  const head = [unionAt(sequences, () => 0)];
  const tail = [unionAt(sequences, (sequence) => sequence.length - 2)];
  return { exact: undefined, precise: false, head, tail, requirements: [[head]] };
}

function unionAt(sequences: readonly number[][], index: (sequence: number[]) => number): ByteSet {
  return byteSet(sequences.flatMap((sequence) => sequence.slice(index(sequence), index(sequence) + 2)));
}

// A part of unknown length ends the run before it, to which it still gives its own beginning.
function concatKnowledge(parts: readonly Knowledge[]): Knowledge {
  const requirements: Requirement[] = [];
  let run: ByteSet[] = [];
  let head: Run | undefined;
  for (const part of parts) {
    if (part.exact && run.length + part.exact.length <= MAX_RUN) {
      run.push(...part.exact);
      if (part.exact.length === 0) continue;
    } else {
      const closed: Run = [...run, ...part.head].slice(0, MAX_RUN);
      head ??= closed;
      if (closed.length > 0) requirements.push([closed]);
      run = [...part.tail];
    }
    // A fixed text is part of the run already; only its alternatives say more.
    requirements.push(...part.requirements.filter((requirement) => !part.exact || requirement.length > 1));
  }
  if (run.length > 0) requirements.push([run]);
  const exact = head === undefined ? run : undefined;
  return {
    exact,
    precise: exact !== undefined && parts.every((part) => part.precise),
    head: head ?? run,
    tail: run,
    requirements,
  };
}

function alternateKnowledge(branches: readonly Knowledge[]): Knowledge {
  const [first, ...others] = branches as [Knowledge, ...Knowledge[]];
  const sameLength = branches.every((branch) => branch.exact && branch.exact.length === first.exact?.length);
  const head = others.reduce((run, branch) => uniteRuns(run, branch.head, 0), first.head);
  const tail = others.reduce((run, branch) => uniteRuns(run, branch.tail, 1), first.tail);
  const choices = branches.map((branch) => branch.requirements);
  const requirements: Requirement[] = head.length > 0 ? [[head]] : [];
  if (choices.every((choice) => choice.length > 0)) {
    const joined = choices.flatMap((choice) => longest(choice));
    if (joined.length <= MAX_ALTERNATIVES) requirements.push(joined);
  }
  const exact = sameLength ? head : undefined;
  const precise = exact !== undefined && exact.length <= 1 && branches.every((branch) => branch.precise);
  return { exact, precise, head, tail, requirements };
}

// From the left for heads (side 0), from the right for tails (side 1), as far as both go.
function uniteRuns(left: Run, right: Run, side: 0 | 1): Run {
  const length = Math.min(left.length, right.length);
  const from = (run: Run) => (side === 0 ? run.slice(0, length) : run.slice(run.length - length));
  const other = from(right);
  return from(left).map((set, index) => uniteSets(set, other[index] as ByteSet));
}

function longest(requirements: readonly Requirement[]): Requirement {
  const weight = (requirement: Requirement) =>
    Math.min(...requirement.map((run) => run.length)) / requirement.length;
  return requirements.reduce((best, next) => (weight(next) > weight(best) ? next : best));
}

function repeatKnowledge({ node, min, max }: RepeatNode): Knowledge {
  const once = requiredRuns(node);
  if (min === 0) {
    return max === 0
      ? exactly([], true)
      : { exact: undefined, precise: false, head: [], tail: [], requirements: [] };
  }
  const copies = Math.min(min, MAX_RUN);
  const times = concatKnowledge(Array.from({ length: copies }, () => once));
  if (min === max && copies === min && times.exact) return times;
  return { ...times, exact: undefined, precise: false };
}
