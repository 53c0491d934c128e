import type { CharRanges } from "./char-ranges.js";

/**
 * A parsed pattern. Groups leave no trace: search needs to know whether and where a line matches, never what a
 * group captured.
 */
export type RegexNode =
  | { readonly kind: "empty" }
  | { readonly kind: "class"; readonly unit: "char" | "byte"; readonly ranges: CharRanges }
  | { readonly kind: "assert"; readonly look: Look }
  | { readonly kind: "concat"; readonly parts: readonly RegexNode[] }
  | { readonly kind: "alternate"; readonly branches: readonly RegexNode[] }
  | RepeatNode;

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

export function concatNodes(parts: readonly RegexNode[]): RegexNode {
  const flat = parts.filter((part) => part.kind !== "empty");
  if (flat.length === 0) return EMPTY_NODE;
  return flat.length === 1 ? (flat[0] as RegexNode) : { kind: "concat", parts: flat };
}
