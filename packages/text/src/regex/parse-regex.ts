import { automatonSize } from "./automaton-size.js";
import { MAX_CODE_POINT, negateRanges } from "./char-ranges.js";
import { foldIfAsked } from "./fold-case.js";
import { parseBracketClass } from "./parse-bracket-class.js";
import { parseEscape } from "./parse-escape.js";
import { parseGroupHead } from "./parse-group-head.js";
import { PATTERN_LIMITS } from "./pattern-limits.js";
import { PatternReader } from "./pattern-reader.js";
import type { RegexFlags } from "./regex-flags.js";
import { classNode, concatNodes, type RegexNode } from "./regex-node.js";

/** A pattern that is known to be small enough to run. */
export interface ParsedRegex {
  readonly node: RegexNode;
  /** Names of the capture groups, from group 1 on; undefined for an unnamed group. */
  readonly groups: readonly (string | undefined)[];
  /** Whether CRLF counts as one line feed: true if the pattern does not contain a carriage return. */
  readonly crlf: boolean;
}

/**
 * Parses the language of RE2 and Rust's regex crate. Rejects by name what neither supports in linear time
 * (look-around, back-references). Throws PatternError.
 */
export function parseRegex(pattern: string, flags: RegexFlags, captures = false): ParsedRegex {
  const reader = new PatternReader(pattern);
  if (pattern.length > PATTERN_LIMITS.regexLength) {
    reader.fail("pattern too long", `use at most ${PATTERN_LIMITS.regexLength} characters`);
  }
  const parser: Parser = { reader, groups: [], captures, depth: 0 };
  const node = parseAlternation(parser, { ...flags });
  if (!reader.done) reader.fail("unopened group", "escape the parenthesis as \\) or remove it");
  if (automatonSize(node) > PATTERN_LIMITS.automatonSize) {
    reader.fail("pattern too large", "use smaller repetition counts, or + and * instead of {n,m}", 0);
  }
  return { node, groups: parser.groups, crlf: !reader.namesCarriageReturn };
}

/** A pattern without operators: every character is literal. */
export function parseLiteral(text: string, flags: RegexFlags): ParsedRegex {
  if (text.length > PATTERN_LIMITS.literalLength) {
    new PatternReader(text).fail("text too long", `use at most ${PATTERN_LIMITS.literalLength} characters`);
  }
  const node = concatNodes(Array.from(text, (char) => literalNode(char.codePointAt(0) as number, flags)));
  return { node, groups: [], crlf: !text.includes("\r") };
}

interface Parser {
  readonly reader: PatternReader;
  readonly groups: (string | undefined)[];
  readonly captures: boolean;
  depth: number;
}

// Flags set inside a group apply until its end, across its branches, so they are changed in place here.
function parseAlternation(parser: Parser, flags: RegexFlags): RegexNode {
  const branches: RegexNode[] = [parseConcat(parser, flags)];
  while (parser.reader.eat("|")) branches.push(parseConcat(parser, flags));
  return branches.length === 1 ? (branches[0] as RegexNode) : { kind: "alternate", branches };
}

function parseConcat(parser: Parser, flags: RegexFlags): RegexNode {
  const { reader } = parser;
  const parts: RegexNode[] = [];
  for (;;) {
    if (flags.extended) skipSpaceAndComments(reader);
    if (reader.done || reader.peek() === "|" || reader.peek() === ")") return concatNodes(parts);
    const atom = parseAtom(parser, flags);
    if (atom) parts.push(parseRepetitions(parser, flags, atom));
  }
}

// Undefined for an item that cannot be repeated: a change of flags.
function parseAtom(parser: Parser, flags: RegexFlags): RegexNode | undefined {
  const { reader } = parser;
  const char = reader.peek();
  if (char === "(") return parseGroup(parser, flags);
  if (char === "[") return parseBracketClass(reader, flags);
  if (char === "\\") return parseEscape(reader, flags);
  if ("*+?".includes(char)) {
    reader.fail(
      `repetition operator ${char} without anything to repeat`,
      `write \\${char} for the character`,
    );
  }
  const position = reader.position;
  const counted = char === "{" ? COUNTED.exec(reader.source.slice(position, position + 32))?.[0] : undefined;
  if (counted) reader.fail(`repetition ${counted} without anything to repeat`, "write \\{ for the character");
  const codePoint = reader.next();
  if (char === ".") return dotNode(flags);
  if (char === "^") return { kind: "assert", look: flags.multiLine ? "line-start" : "text-start" };
  if (char === "$") return { kind: "assert", look: flags.multiLine ? "line-end" : "text-end" };
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) reader.fail("lone surrogate", "remove it", position);
  if (codePoint === 0x0d) reader.namesCarriageReturn = true;
  return literalNode(codePoint, flags);
}

function parseGroup(parser: Parser, flags: RegexFlags): RegexNode | undefined {
  const { reader } = parser;
  const start = reader.position;
  reader.eat("(");
  const head = parseGroupHead(reader, flags, parser.groups);
  if (head.kind === "flags") {
    Object.assign(flags, head.flags);
    return undefined;
  }
  if (++parser.depth > PATTERN_LIMITS.nesting) reader.fail("groups nested too deeply", "flatten the pattern");
  const node = parseAlternation(parser, { ...head.flags });
  parser.depth--;
  if (!reader.eat(")")) reader.fail("unclosed group", "add the missing ) or escape it as \\(", start);
  if (parser.captures && head.index !== undefined) return { kind: "group", index: head.index, node };
  return node.kind === "empty" ? { kind: "concat", parts: [] } : node;
}

function parseRepetitions(parser: Parser, flags: RegexFlags, atom: RegexNode): RegexNode {
  const { reader } = parser;
  let node = atom;
  for (let times = 0; ; times++) {
    if (flags.extended) skipSpaceAndComments(reader);
    const bounds = parseBounds(reader);
    if (!bounds) return node;
    if (times > PATTERN_LIMITS.nesting) reader.fail("too many repetition operators", "write one of them");
    const lazy = reader.eat("?");
    node = { kind: "repeat", node, ...bounds, greedy: lazy === flags.swapGreed };
  }
}

const COUNTED = /^\{\s*(\d+)\s*(?:(,)\s*(\d*)\s*)?\}/;

function parseBounds(reader: PatternReader): { min: number; max: number } | undefined {
  const char = reader.peek();
  if (char === "" || !"*+?{".includes(char)) return undefined;
  if (reader.eat("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
  if (reader.eat("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
  if (reader.eat("?")) return { min: 0, max: 1 };
  const counted = COUNTED.exec(reader.source.slice(reader.position, reader.position + 32));
  if (!counted) return undefined; // RE2 treats any other brace as literal, as in `function f() {`
  const [text, low, comma, high] = counted;
  const min = Number(low);
  const max = comma ? (high ? Number(high) : Number.POSITIVE_INFINITY) : min;
  if (max < min) reader.fail(`repetition range ${text} is backwards`, `write {${max},${min}}`);
  if (
    min > PATTERN_LIMITS.repetition ||
    (max !== Number.POSITIVE_INFINITY && max > PATTERN_LIMITS.repetition)
  ) {
    reader.fail(`repetition count too large in ${text}`, `use at most ${PATTERN_LIMITS.repetition}, or {n,}`);
  }
  reader.position += text.length;
  return { min, max };
}

function skipSpaceAndComments(reader: PatternReader): void {
  for (;;) {
    if (reader.peek() === "#") {
      if (reader.until("\n") === undefined) reader.position = reader.source.length;
    } else if (/\s/.test(reader.peek())) reader.position++;
    else return;
  }
}

function dotNode(flags: RegexFlags): RegexNode {
  const max = flags.unicode ? MAX_CODE_POINT : 0xff;
  const ranges = flags.dotAll ? [0, max] : negateRanges([0x0a, 0x0a], max);
  return classNode(flags.unicode ? "char" : "byte", ranges);
}

function literalNode(codePoint: number, flags: RegexFlags): RegexNode {
  return classNode("char", foldIfAsked([codePoint, codePoint], flags));
}
