import { PatternError } from "@haft/text/path-rules";
import { choosePrefilter, isExact, type Prefilter } from "../prefilter/choose-prefilter.js";
import { type Requirement, requiredRuns } from "../prefilter/required-runs.js";
import type { ByteNfa } from "../regex/byte-nfa.js";
import { compileNfa } from "../regex/compile-nfa.js";
import { parseLiteral, parseRegex } from "../regex/parse-regex.js";
import { DEFAULT_FLAGS } from "../regex/regex-flags.js";
import type { RegexNode } from "../regex/regex-node.js";

export interface PatternOptions {
  readonly pattern: string;
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  /** A match may span lines. */
  readonly multiline?: boolean;
}

/** A pattern, checked and ready to be put into a kernel; the same for every thread. */
export interface CompiledPattern {
  /** Built when it is asked for, if the prefilter alone tells what matches. */
  readonly nfa: ByteNfa;
  readonly prefilter: Prefilter | undefined;
  /** What every match holds. */
  readonly requirements: readonly Requirement[];
  readonly multiline: boolean;
}

/** Throws PatternError for a pattern that cannot be run. */
export function compilePattern(options: PatternOptions): CompiledPattern {
  const { pattern, literal = false, ignoreCase = false, multiline = false } = options;
  const flags = { ...DEFAULT_FLAGS, ignoreCase };
  const node = literal ? parseLiteral(pattern, flags) : parseRegex(pattern, flags);
  if (!multiline && needsNewline(node)) {
    throw new PatternError(
      "a line break in the pattern",
      Math.max(0, pattern.search(/\n|\\n/)),
      "set multiline to true",
    );
  }
  const knowledge = requiredRuns(node);
  const prefilter = choosePrefilter(knowledge);
  // Only what is larger than a plain text can be too large, which has to be said now.
  let nfa = isExact(prefilter) ? undefined : compileNfa(node);
  return {
    get nfa() {
      nfa ??= compileNfa(node);
      return nfa;
    },
    prefilter,
    requirements: knowledge.requirements,
    multiline,
  };
}

// A line holds no line break, so a pattern that asks for one would silently find nothing.
function needsNewline(node: RegexNode): boolean {
  if (node.kind === "class")
    return node.ranges.length === 2 && node.ranges[0] === 0x0a && node.ranges[1] === 0x0a;
  if (node.kind === "concat") return node.parts.some(needsNewline);
  if (node.kind === "alternate") return node.branches.some(needsNewline);
  return node.kind === "repeat" && needsNewline(node.node);
}
