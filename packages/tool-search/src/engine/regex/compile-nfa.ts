import { ASSERT, BYTES, type ByteNfa, isWordByte, MATCH, SPLIT } from "./byte-nfa.js";
import type { CharRanges } from "./char-ranges.js";
import { PatternError } from "./pattern-error.js";
import { PATTERN_LIMITS } from "./pattern-limits.js";
import type { Look, RegexNode, RepeatNode } from "./regex-node.js";
import { utf8Sequences } from "./utf8-sequences.js";

/** Builds the byte automaton from the end of the pattern to its start, so that every target is known. */
export function compileNfa(node: RegexNode): ByteNfa {
  const builder = new NfaBuilder();
  const end = builder.add(MATCH, []);
  const start = builder.compile(node, end);
  const looks = builder.looks.filter((look) => look !== undefined);
  const hasUnicodeWord = looks.some((look) => look.includes("word") && !look.startsWith("ascii"));
  const { kinds, edges } = builder;
  const words = looks.some((look) => look.includes("word"));
  return { kinds, edges, looks: builder.looks, start, hasUnicodeWord, ...byteClasses(kinds, edges, words) };
}

/** A class as states of its own, with -1 for "whatever follows"; the last one is the entry. */
type ClassTemplate = readonly (readonly number[])[];

class NfaBuilder {
  readonly kinds: number[] = [];
  readonly edges: (readonly number[])[] = [];
  readonly looks: (Look | undefined)[] = [];
  private size = 0;
  private readonly templates = new Map<CharRanges, ClassTemplate>();

  add(kind: number, edges: readonly number[], look?: Look): number {
    this.size += edges.length + 1;
    if (this.size > PATTERN_LIMITS.automatonSize) {
      throw new PatternError(
        "pattern too large",
        0,
        "use smaller repetition counts, or + and * instead of {n,m}",
      );
    }
    this.kinds.push(kind);
    this.looks.push(look);
    return this.edges.push(edges) - 1;
  }

  compile(node: RegexNode, next: number): number {
    switch (node.kind) {
      case "empty":
        return next;
      case "class":
        return node.unit === "byte"
          ? this.add(BYTES, triples(node.ranges, next))
          : this.charClass(node.ranges, next);
      case "assert":
        return this.add(ASSERT, [next], node.look);
      case "concat":
        return node.parts.reduceRight((target, part) => this.compile(part, target), next);
      case "alternate":
        return this.add(
          SPLIT,
          node.branches.map((branch) => this.compile(branch, next)),
        );
      case "repeat":
        return this.repeat(node, next);
    }
  }

  private repeat({ node, min, max, greedy }: RepeatNode, next: number): number {
    let entry = next;
    let copies = min;
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.add(SPLIT, [next]);
      const body = this.compile(node, loop);
      this.edges[loop] = greedy ? [body, next] : [next, body];
      entry = min > 0 ? body : loop;
      copies = Math.max(0, min - 1);
    } else {
      for (let times = min; times < max; times++) {
        const body = this.compile(node, entry);
        entry = this.add(SPLIT, greedy ? [body, next] : [next, body]);
      }
    }
    for (let times = 0; times < copies; times++) entry = this.compile(node, entry);
    return entry;
  }

  private charClass(ranges: CharRanges, next: number): number {
    let template = this.templates.get(ranges);
    if (!template) {
      template = classTemplate(utf8Sequences(ranges));
      this.templates.set(ranges, template);
    }
    const base = this.kinds.length;
    for (const edges of template) {
      this.add(
        BYTES,
        edges.map((value, index) => (index % 3 < 2 ? value : value < 0 ? next : base + value)),
      );
    }
    return this.kinds.length - 1;
  }
}

// Tails are shared: `\w` has some 800 ranges but only a few hundred different ends.
function classTemplate(sequences: readonly number[][]): ClassTemplate {
  const states: number[][] = [];
  const known = new Map<string, number>();
  const build = (group: readonly number[][], depth: number): number => {
    const edges: number[] = [];
    for (let from = 0; from < group.length; ) {
      const first = group[from] as number[];
      let to = from + 1;
      while (to < group.length && sameRange(first, group[to] as number[], depth)) to++;
      const target = first.length === depth + 2 ? -1 : build(group.slice(from, to), depth + 2);
      edges.push(first[depth] as number, first[depth + 1] as number, target);
      from = to;
    }
    const key = edges.join();
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, states.push(edges) - 1);
    return states.length - 1;
  };
  build(sequences, 0);
  return states;
}

function sameRange(left: readonly number[], right: readonly number[], depth: number): boolean {
  return left[depth] === right[depth] && left[depth + 1] === right[depth + 1];
}

function triples(ranges: CharRanges, next: number): number[] {
  const edges: number[] = [];
  for (let index = 0; index < ranges.length; index += 2) {
    edges.push(ranges[index] as number, ranges[index + 1] as number, next);
  }
  return edges;
}

function byteClasses(kinds: readonly number[], edges: readonly (readonly number[])[], words: boolean) {
  const starts = new Uint8Array(257);
  starts[0x0a] = starts[0x0b] = starts[0x80] = 1;
  for (let state = 0; state < kinds.length; state++) {
    if (kinds[state] !== BYTES) continue;
    const list = edges[state] as readonly number[];
    for (let index = 0; index < list.length; index += 3) {
      starts[list[index] as number] = 1;
      starts[(list[index + 1] as number) + 1] = 1;
    }
  }
  for (let byte = 1; words && byte < 256; byte++) {
    if (isWordByte(byte) !== isWordByte(byte - 1)) starts[byte] = 1;
  }
  const classes = new Uint8Array(256);
  let current = 0;
  for (let byte = 1; byte < 256; byte++) classes[byte] = starts[byte] ? ++current : current;
  return { classes, classCount: current + 1 };
}
