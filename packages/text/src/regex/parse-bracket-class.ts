import {
  type CharRanges,
  intersectRanges,
  MAX_CODE_POINT,
  mergeRanges,
  negateRanges,
  rangesContain,
  subtractRanges,
} from "./char-ranges.js";
import { foldIfAsked } from "./fold-case.js";
import { type ClassItem, isCarriageReturn, parseClassEscape } from "./parse-escape.js";
import { PATTERN_LIMITS } from "./pattern-limits.js";
import type { PatternReader } from "./pattern-reader.js";
import type { RegexFlags } from "./regex-flags.js";
import { classNode, type RegexNode } from "./regex-node.js";
import { ASCII_CLASSES } from "./unicode-class.js";

/** Parses `[…]` with ranges, POSIX names, nested sets and the set operators `&&`, `--` and `~~`. */
export function parseBracketClass(reader: PatternReader, flags: RegexFlags): RegexNode {
  const start = reader.position;
  const named = reader.namesCarriageReturn;
  const ranges = parseSet(reader, flags, 0);
  // `[^\r\n]` stays within a line: it does not refer to a carriage return.
  if (!rangesContain(ranges, 0x0d)) reader.namesCarriageReturn = named;
  const key = `${reader.source.slice(start, reader.position)} ${JSON.stringify(flags)}`;
  return reader.classOnce(key, () => classNode(flags.unicode ? "char" : "byte", ranges));
}

function parseSet(reader: PatternReader, flags: RegexFlags, depth: number): CharRanges {
  const start = reader.position;
  if (depth > PATTERN_LIMITS.nesting) reader.fail("brackets nested too deeply", "flatten the class");
  reader.eat("[");
  const negated = reader.eat("^");
  const first: number[] = [];
  while (reader.peek() === "-") first.push(reader.next(), 0x2d);
  if (first.length === 0 && reader.eat("]")) first.push(0x5d, 0x5d);
  let result = parseUnion(reader, flags, { depth, start, pairs: first });
  for (let operator = setOperator(reader); operator; operator = setOperator(reader)) {
    const right = parseUnion(reader, flags, { depth, start, pairs: [] });
    result = operator(result, right);
  }
  reader.eat("]");
  return negated ? negateRanges(result, flags.unicode ? MAX_CODE_POINT : 0xff) : result;
}

type SetOperator = (left: CharRanges, right: CharRanges) => CharRanges;

function setOperator(reader: PatternReader): SetOperator | undefined {
  if (reader.eat("&&")) return intersectRanges;
  if (reader.eat("--")) return subtractRanges;
  if (reader.eat("~~"))
    return (left, right) => mergeRanges([...subtractRanges(left, right), ...subtractRanges(right, left)]);
  return undefined;
}

interface Union {
  readonly depth: number;
  readonly start: number;
  readonly pairs: number[];
}

// Folds case before negating, because `(?i)[^a]` must exclude A as well.
function parseUnion(reader: PatternReader, flags: RegexFlags, union: Union): CharRanges {
  const { pairs } = union;
  for (;;) {
    if (flags.extended) while (/\s/.test(reader.peek())) reader.position++;
    if (reader.done) {
      reader.fail("unclosed character class", "add the missing ], or escape the bracket as \\[", union.start);
    }
    if (reader.peek() === "]" || ["&&", "--", "~~"].some((operator) => reader.startsWith(operator))) break;
    if (reader.peek() === "[")
      pairs.push(...(parsePosixClass(reader, flags) ?? parseSet(reader, flags, union.depth + 1)));
    else pairs.push(...parseRange(reader, flags));
  }
  reader.countRanges(pairs.length / 2);
  return foldIfAsked(mergeRanges(pairs), flags);
}

function parsePosixClass(reader: PatternReader, flags: RegexFlags): CharRanges | undefined {
  const match = /^\[:(\^?)(\w+):\]/.exec(reader.source.slice(reader.position, reader.position + 20));
  const name = match?.[2];
  if (!match || !name || !Object.hasOwn(ASCII_CLASSES, name)) return undefined;
  reader.position += match[0].length;
  const ranges = foldIfAsked(ASCII_CLASSES[name as keyof typeof ASCII_CLASSES], flags);
  return match[1] ? negateRanges(ranges, flags.unicode ? MAX_CODE_POINT : 0xff) : ranges;
}

function parseRange(reader: PatternReader, flags: RegexFlags): CharRanges {
  const start = reader.position;
  const low = parseItem(reader, flags);
  const next = reader.peek(1);
  if (low.isClass || reader.peek() !== "-" || next === "]" || next === "-" || next === "") return low.ranges;
  reader.eat("-");
  const high = parseItem(reader, flags);
  if (high.isClass) reader.fail("a class cannot end a range", "put the - at the end of the brackets", start);
  const [from, to] = [low.ranges[0] as number, high.ranges[0] as number];
  if (from > to) reader.fail("character range is backwards", "write the smaller character first", start);
  return [from, to];
}

function parseItem(reader: PatternReader, flags: RegexFlags): ClassItem {
  const item = reader.peek() === "\\" ? parseClassEscape(reader, flags) : itself(reader.next());
  if (isCarriageReturn(item)) reader.namesCarriageReturn = true;
  return item;
}

function itself(point: number): ClassItem {
  return { ranges: [point, point], isClass: false };
}
