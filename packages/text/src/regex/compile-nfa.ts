import { ASSERT, BYTES, type ByteNfa, isWordByte, MATCH, SAVE, SPLIT } from "./byte-nfa.js";
import type { ParsedRegex } from "./parse-regex.js";
import type { ClassNode, Look, RegexNode, RepeatNode } from "./regex-node.js";

/**
 * Builds the byte automaton from the end of the pattern to its start, so that every target is known. The parser has
 * already checked its size.
 */
export function compileNfa({ node, crlf }: Pick<ParsedRegex, "node" | "crlf">): ByteNfa {
  const builder = new NfaBuilder();
  const end = builder.add(MATCH, []);
  const start = builder.compile(node, end);
  const looks = builder.looks.filter((look) => look !== undefined);
  const hasUnicodeWord = looks.some((look) => look.includes("word") && !look.startsWith("ascii"));
  const { kinds, edges } = builder;
  const words = looks.some((look) => look.includes("word"));
  const classes = byteClasses(builder, { words, crlf });
  return { kinds, edges, looks: builder.looks, start, crlf, hasUnicodeWord, ...classes };
}

class NfaBuilder {
  readonly kinds: number[] = [];
  readonly edges: (readonly number[])[] = [];
  readonly looks: (Look | undefined)[] = [];

  add(kind: number, edges: readonly number[], look?: Look): number {
    this.kinds.push(kind);
    this.looks.push(look);
    return this.edges.push(edges) - 1;
  }

  compile(node: RegexNode, next: number): number {
    switch (node.kind) {
      case "empty":
        return next;
      case "class":
        return this.charClass(node, next);
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
      case "group": {
        const end = this.add(SAVE, [next, node.index * 2 + 1]);
        return this.add(SAVE, [this.compile(node.node, end), node.index * 2]);
      }
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

  private charClass(node: ClassNode, next: number): number {
    const base = this.kinds.length;
    for (const edges of node.tree) {
      this.add(
        BYTES,
        edges.map((value, index) => (index % 3 < 2 ? value : value < 0 ? next : base + value)),
      );
    }
    return this.kinds.length - 1;
  }
}

function byteClasses({ kinds, edges }: NfaBuilder, { words, crlf }: { words: boolean; crlf: boolean }) {
  const starts = new Uint8Array(257);
  starts[0x0a] = starts[0x0b] = starts[0x80] = 1;
  if (crlf) starts[0x0d] = starts[0x0e] = 1;
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
