import { type ByteTree, byteTree } from "./byte-tree.js";
import type { CharRanges } from "./char-ranges.js";
import { classTree } from "./class-tree.js";

/**
 * A parsed pattern. Groups leave no trace: search needs to know whether and where a line matches, never what a
 * group captured.
 */
export type RegexNode =
  | { readonly kind: "empty" }
  | ClassNode
  | { readonly kind: "assert"; readonly look: Look }
  | { readonly kind: "concat"; readonly parts: readonly RegexNode[] }
  | { readonly kind: "alternate"; readonly branches: readonly RegexNode[] }
  | RepeatNode;

export interface ClassNode {
  readonly kind: "class";
  readonly unit: "char" | "byte";
  readonly ranges: CharRanges;
  /** The encodings of the characters; worked out once, as both the automaton and the prefilter ask for them. */
  readonly tree: ByteTree;
}

export interface RepeatNode {
  readonly kind: "repeat";
  readonly node: RegexNode;
  readonly min: number;
  /** Infinity when unbounded. */
  readonly max: number;
  readonly greedy: boolean;
}

/** A condition on a position. `word` kinds come in a Unicode and an ASCII form, as `\b` and `(?-u:\b)` differ. */
export type Look =
  | "line-start"
  | "line-end"
  | "text-start"
  | "text-end"
  | "word"
  | "not-word"
  | "word-start"
  | "word-end"
  | "ascii-word"
  | "ascii-not-word";

export const EMPTY_NODE: RegexNode = { kind: "empty" };

export function classNode(unit: "char" | "byte", ranges: CharRanges): ClassNode {
  let tree: ByteTree | undefined;
  return {
    kind: "class",
    unit,
    ranges,
    get tree() {
      tree ??= unit === "char" ? classTree(ranges) : byteTree(byteSequences(ranges));
      return tree;
    },
  };
}

export function concatNodes(parts: readonly RegexNode[]): RegexNode {
  const flat = parts.filter((part) => part.kind !== "empty");
  if (flat.length === 0) return EMPTY_NODE;
  return flat.length === 1 ? (flat[0] as RegexNode) : { kind: "concat", parts: flat };
}

function byteSequences(ranges: CharRanges): number[][] {
  const sequences: number[][] = [];
  for (let index = 0; index < ranges.length; index += 2) {
    sequences.push([ranges[index] as number, ranges[index + 1] as number]);
  }
  return sequences;
}
