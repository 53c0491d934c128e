import { type ByteTree, byteTree } from "./byte-tree.js";
import type { CharRanges } from "./char-ranges.js";
import { classTree } from "./class-tree.js";

/** A parsed pattern. The parser keeps groups only if captures are requested: a search does not use them. */
export type RegexNode =
  | { readonly kind: "empty" }
  | GroupNode
  | ClassNode
  | { readonly kind: "assert"; readonly look: Look }
  | { readonly kind: "concat"; readonly parts: readonly RegexNode[] }
  | { readonly kind: "alternate"; readonly branches: readonly RegexNode[] }
  | RepeatNode;

export interface ClassNode {
  readonly kind: "class";
  readonly unit: "char" | "byte";
  readonly ranges: CharRanges;
  /** The encodings of the characters, computed once for the automaton and the prefilter. */
  readonly tree: ByteTree;
}

interface GroupNode {
  readonly kind: "group";
  /** Starts at 1, in the order of the opening parentheses. */
  readonly index: number;
  readonly node: RegexNode;
}

export interface RepeatNode {
  readonly kind: "repeat";
  readonly node: RegexNode;
  readonly min: number;
  /** Infinity if unbounded. */
  readonly max: number;
  readonly greedy: boolean;
}

/** A condition on a position. `word` kinds have a Unicode and an ASCII form, as `\b` and `(?-u:\b)` differ. */
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

const EMPTY_NODE: RegexNode = { kind: "empty" };

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

/** Whether any character class of a pattern satisfies the condition. */
export function someClass(node: RegexNode, holds: (node: ClassNode) => boolean): boolean {
  if (node.kind === "class") return holds(node);
  if (node.kind === "concat") return node.parts.some((part) => someClass(part, holds));
  if (node.kind === "alternate") return node.branches.some((branch) => someClass(branch, holds));
  return (node.kind === "repeat" || node.kind === "group") && someClass(node.node, holds);
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
