import type { ClassNode, RegexNode, RepeatNode } from "./regex-node.js";

/**
 * Computes how many states and transitions `compileNfa` would create, without creating them: a pattern of ten
 * characters can expand to a billion. Infinite if the number exceeds all bounds.
 */
export function automatonSize(node: RegexNode): number {
  switch (node.kind) {
    case "empty":
      return 0;
    case "class":
      return classSize(node);
    case "assert":
      return 2;
    case "concat":
      return node.parts.reduce((sum, part) => sum + automatonSize(part), 0);
    case "alternate":
      return node.branches.reduce((sum, branch) => sum + automatonSize(branch) + 1, 1);
    case "group":
      return automatonSize(node.node) + 6;
    case "repeat":
      return repeatSize(node);
  }
}

const SPLIT_SIZE = 3;

function repeatSize({ node, min, max }: RepeatNode): number {
  if (max === 0) return 0;
  const once = automatonSize(node);
  if (max === Number.POSITIVE_INFINITY) return Math.max(1, min) * once + SPLIT_SIZE;
  return max * once + (max - min) * SPLIT_SIZE;
}

function classSize({ ranges, tree }: ClassNode): number {
  if (ranges.length === 2 && ranges[0] === ranges[1] && (ranges[0] as number) < 0x80) return 4;
  return tree.reduce((sum, edges) => sum + edges.length + 1, 0);
}
