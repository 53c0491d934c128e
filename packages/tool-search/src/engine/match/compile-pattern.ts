import { PatternError } from "@haft/text/path-rules";
import {
  type ByteNfa,
  type ClassNode,
  compileNfa,
  DEFAULT_FLAGS,
  parseLiteral,
  parseRegex,
  type RegexNode,
  rangesContain,
  someClass,
} from "@haft/text/regex";
import { choosePrefilter, type Prefilter } from "../prefilter/choose-prefilter.js";
import { type Requirement, requiredRuns } from "../prefilter/required-runs.js";

export interface PatternOptions {
  readonly pattern: string;
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  /** Whether a match may span lines. */
  readonly multiline?: boolean;
}

/** A checked pattern, ready for a kernel; the same for every thread. */
export interface CompiledPattern {
  /** Built on demand: the prefilter alone may find the matches. */
  readonly nfa: ByteNfa;
  readonly prefilter: Prefilter | undefined;
  /** What every match contains. */
  readonly requirements: readonly Requirement[];
  /** Whether a match can contain a line break, or depends on the start or end of the text. */
  readonly multiline: boolean;
}

/** Throws PatternError for an unsupported pattern. */
export function compilePattern(options: PatternOptions): CompiledPattern {
  const { pattern, literal = false, ignoreCase = false, multiline = false } = options;
  const flags = { ...DEFAULT_FLAGS, ignoreCase };
  const parsed = literal ? parseLiteral(pattern, flags) : parseRegex(pattern, flags);
  const { node } = parsed;
  if (!multiline && someClass(node, isNewline)) {
    throw new PatternError(
      "a line break in the pattern",
      Math.max(0, pattern.search(/\n|\\n/)),
      "set multiline to true",
    );
  }
  const spansLines = multiline && (someClass(node, hasNewline) || hasTextLook(node));
  const knowledge = requiredRuns(node, spansLines && parsed.crlf);
  const prefilter = choosePrefilter(knowledge);
  let nfa: ByteNfa | undefined;
  return {
    get nfa() {
      nfa ??= compileNfa(parsed);
      return nfa;
    },
    prefilter,
    requirements: knowledge.requirements,
    multiline: spansLines,
  };
}

// A line contains no line break, so a pattern that requires one would silently find nothing.
function isNewline({ ranges }: ClassNode): boolean {
  return ranges.length === 2 && ranges[0] === 0x0a && ranges[1] === 0x0a;
}

function hasNewline({ ranges }: ClassNode): boolean {
  return rangesContain(ranges, 0x0a);
}

/** Returns whether a pattern matches the start or the end of the whole text. */
function hasTextLook(node: RegexNode): boolean {
  if (node.kind === "assert") return node.look === "text-start" || node.look === "text-end";
  if (node.kind === "concat") return node.parts.some(hasTextLook);
  if (node.kind === "alternate") return node.branches.some(hasTextLook);
  return (node.kind === "repeat" || node.kind === "group") && hasTextLook(node.node);
}
