import {
  type ByteTree,
  type CharRanges,
  type ClassNode,
  type RegexNode,
  type RepeatNode,
  rangesContain,
} from "@haft/text/regex";
import { type ByteSet, uniteSets } from "./byte-set.js";

/** Consecutive bytes, each from its set. */
export type Run = readonly ByteSet[];

/** Runs of which every match contains at least one. */
export type Requirement = readonly Run[];

/** What is known about every text that a part of a pattern matches. */
export interface Knowledge {
  /** The whole text, if its length is fixed. */
  readonly exact: Run | undefined;
  /** Whether `exact` describes only matches, without conditions on the position. */
  readonly precise: boolean;
  readonly head: Run;
  readonly tail: Run;
  readonly requirements: readonly Requirement[];
}

/**
 * Collects what every match of the pattern must contain, so that a scan can skip the rest. With `crlf`, a line feed
 * may be written as CRLF.
 */
export function requiredRuns(node: RegexNode, crlf: boolean): Knowledge {
  switch (node.kind) {
    case "empty":
      return exactly([], true);
    case "assert":
      return exactly([], false);
    case "class":
      return classKnowledge(node, crlf);
    case "concat":
      return concatKnowledge(node.parts.map((part) => requiredRuns(part, crlf)));
    case "alternate":
      return alternateKnowledge(node.branches.map((branch) => requiredRuns(branch, crlf)));
    case "group":
      return requiredRuns(node.node, crlf);
    case "repeat":
      return repeatKnowledge(node, requiredRuns(node.node, crlf));
  }
}

const MAX_RUN = 64;
const MAX_ALTERNATIVES = 32;

function exactly(run: Run, precise: boolean): Knowledge {
  return { exact: run, precise, head: run, tail: run, requirements: run.length > 0 ? [[run]] : [] };
}

/** Letters and digits, the usual case, need no tree of encodings. */
function isOneByte({ unit, ranges }: ClassNode): boolean {
  return ranges.length > 0 && (ranges.at(-1) as number) <= (unit === "byte" ? 0xff : 0x7f);
}

function byteSet(ranges: CharRanges): ByteSet {
  const set = new Uint8Array(256);
  for (let index = 0; index < ranges.length; index += 2)
    set.fill(1, ranges[index], (ranges[index + 1] as number) + 1);
  return set;
}

const NOTHING: Knowledge = { exact: undefined, precise: false, head: [], tail: [], requirements: [] };

function classKnowledge(node: ClassNode, crlf: boolean): Knowledge {
  if (node.ranges.length === 0) return NOTHING;
  if (crlf && rangesContain(node.ranges, 0x0a)) return lineFeedKnowledge(node);
  return isOneByte(node) ? exactly([byteSet(node.ranges)], true) : treeKnowledge(node.tree);
}

function lineFeedKnowledge({ tree }: ClassNode): Knowledge {
  const { head, tail } = treeKnowledge(tree);
  const first = Uint8Array.from(head[0] as ByteSet);
  first[0x0d] = 1;
  return { exact: undefined, precise: false, head: [first], tail: tail.slice(-1), requirements: [[[first]]] };
}

function treeKnowledge(tree: ByteTree): Knowledge {
  const levels = levelsOf(tree);
  const run = levels?.map((level) => edgeSet(tree, level, () => true));
  if (run)
    return exactly(
      run,
      run.length === 1 || tree.every((edges) => edges.length === 3 && edges[0] === edges[1]),
    );
  const head = [edgeSet(tree, [tree.length - 1], () => true)];
  const tail = [edgeSet(tree, tree.keys(), (target) => target < 0)];
  return { exact: undefined, precise: false, head, tail, requirements: [[head]] };
}

// Returns the states at each distance from the entry, if all characters have the same length.
function levelsOf(tree: ByteTree): number[][] | undefined {
  const levels = [[tree.length - 1]];
  for (;;) {
    const targets = new Set<number>();
    for (const state of levels.at(-1) as number[]) {
      const edges = tree[state] as readonly number[];
      for (let index = 2; index < edges.length; index += 3) targets.add(edges[index] as number);
    }
    if (!targets.has(-1)) levels.push([...targets]);
    else return targets.size === 1 ? levels : undefined;
  }
}

function edgeSet(tree: ByteTree, states: Iterable<number>, wanted: (target: number) => boolean): ByteSet {
  const set = new Uint8Array(256);
  for (const state of states) {
    const edges = tree[state] as readonly number[];
    for (let index = 0; index < edges.length; index += 3) {
      if (wanted(edges[index + 2] as number)) set.fill(1, edges[index], (edges[index + 1] as number) + 1);
    }
  }
  return set;
}

// A part of unknown length ends the preceding run, but its own beginning still belongs to that run.
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
    // A fixed text is already part of the run; only its alternatives add information.
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

function repeatKnowledge({ min, max }: RepeatNode, once: Knowledge): Knowledge {
  if (min === 0) return max === 0 ? exactly([], true) : NOTHING;
  // For a part of unknown length, a second copy shows what is between two; more would only repeat that.
  const copies = Math.min(min, once.exact ? MAX_RUN : 2);
  const times = concatKnowledge(Array.from({ length: copies }, () => once));
  if (min === max && copies === min && times.exact) return times;
  return { ...times, exact: undefined, precise: false };
}
