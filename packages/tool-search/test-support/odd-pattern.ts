// Patterns with assertions in unusual places, of which ripgrep 13 loses some matches (`$b*^`, `\b+?^{2}`, `\b` across lines). Each is written for
// Rust and for JavaScript, so that a third engine can decide who is right.
import { pick, type Random } from "./random-tree.js";

export interface OddPattern {
  readonly pattern: string;
  readonly javascript: string;
}

const WORD = "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]";
const EDGE = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`;

const PARTS: readonly OddPattern[] = [
  ...["foo", "a", "b", "ab", "x", "é", "TODO", "\\.", "\\(", "42", "[ab]", "[^a]"].map(same),
  { pattern: "\\w", javascript: WORD },
  { pattern: "\\d", javascript: "\\p{Nd}" },
  { pattern: "\\s", javascript: "\\p{White_Space}" },
  { pattern: ".", javascript: "[^\\n]" },
];
const CONDITIONS: readonly OddPattern[] = [
  { pattern: "\\b", javascript: EDGE },
  { pattern: "\\B", javascript: `(?!${EDGE})` },
  { pattern: "^", javascript: "(?<![^\\n])" },
  { pattern: "$", javascript: "(?![^\\n])" },
];
const REPEATS = ["", "", "", "+", "*", "?", "{2}", "{1,3}", "+?", "*?"];

export function oddPattern(random: Random): OddPattern {
  return joined(Array.from({ length: 2 + random(3) }, () => oddPart(random, 0)));
}

function oddPart(random: Random, depth: number): OddPattern {
  const repeat = pick(random, REPEATS);
  if (random(2) === 0) return repeated(pick(random, CONDITIONS), repeat);
  if (depth > 1 || random(3) > 0) return repeated(pick(random, PARTS), repeat);
  const branches = Array.from({ length: 1 + random(2) }, () =>
    joined(Array.from({ length: 1 + random(2) }, () => oddPart(random, depth + 1))),
  );
  return repeated(
    {
      pattern: branches.map(({ pattern }) => pattern).join("|"),
      javascript: branches.map(({ javascript }) => javascript).join("|"),
    },
    repeat,
  );
}

function repeated({ pattern, javascript }: OddPattern, repeat: string): OddPattern {
  return { pattern: `(?:${pattern})${repeat}`, javascript: `(?:${javascript})${repeat}` };
}

function joined(parts: readonly OddPattern[]): OddPattern {
  return {
    pattern: parts.map(({ pattern }) => pattern).join(""),
    javascript: parts.map(({ javascript }) => javascript).join(""),
  };
}

function same(text: string): OddPattern {
  return { pattern: text, javascript: text };
}

/** Returns the numbers of the lines with a match, or with a part of one. */
export function linesMatching(given: string, regex: RegExp, multiline: boolean): ReadonlySet<number> {
  const text = given.replaceAll("\r\n", "\n");
  const lines = text.replace(/\n$/, "").split("\n");
  if (!multiline) return new Set([...lines.keys()].filter((at) => regex.test(lines[at] ?? "")).map(oneUp));
  const found = new Set<number>();
  for (const match of text.matchAll(new RegExp(regex.source, `${regex.flags}g`))) {
    const first = lineAt(text, match.index);
    // A match that ends with a line break does not reach into the next line.
    const last = match[0] === "" ? first : lineAt(text, match.index + match[0].length - 1);
    for (let line = first; line <= last; line++) found.add(line);
  }
  return found;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

function oneUp(index: number): number {
  return index + 1;
}
