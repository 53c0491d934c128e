import type { FoundLine } from "../engine/search/search-outcome.js";
import type { QueryTerm } from "./query-terms.js";

/** The weight of each word of a query: rare words count more. */
export type TermWeights = ReadonlyMap<QueryTerm, number>;

interface BestLine {
  readonly line: number;
  readonly text: string;
  /** The position of the first word in the text. */
  readonly at: number;
  readonly score: number;
}

const K1 = 1.2;
const B = 0.5;
const TYPICAL_CHARS = 60;
const EXAMINED_CHARS = 2_000;
const DEFINES =
  /^\s*(export|public|private|async|static|pub|abstract|default)?\s*(export|function|class|def|fn|func|interface|type|struct|enum|const|trait|impl|describe)\b/;
const PASSES_ON =
  /^\s*(import\b|export\s*(type\s*)?[{*].*\bfrom\b|from\s+\S+\s+import\b|use\s|#include|require\()/;

/** Scores the lines of a file with BM25: rare, whole and adjacent words, in a line that is not too long. */
export function bestLine(
  lines: readonly FoundLine[],
  weights: TermWeights,
  phrase: string,
): BestLine | undefined {
  let best: BestLine | undefined;
  for (const { line, text, match } of lines) {
    const score = scoreLine(text.slice(0, EXAMINED_CHARS), weights, phrase);
    if (!best || score > best.score) best = { line, text, at: match?.start ?? 0, score };
  }
  return best;
}

function scoreLine(text: string, weights: TermWeights, phrase: string): number {
  const lower = text.toLowerCase();
  let score = 0;
  for (const [term, weight] of weights) score += weight * frequency(term, lower);
  if (weights.size > 1 && lower.includes(phrase)) score *= 1.5;
  if (PASSES_ON.test(text)) return score * 0.5;
  return DEFINES.test(text) ? score * 1.3 : score;
}

function frequency({ word, stem }: QueryTerm, text: string): number {
  const count = text.split(stem).length - 1;
  if (count === 0) return 0;
  const at = text.indexOf(word);
  const isWhole = at >= 0 && !isLetter(text[at - 1]) && !isLetter(text[at + word.length]);
  const found = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * text.length) / TYPICAL_CHARS));
  return isWhole ? found : found * 0.8;
}

function isLetter(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}]/u.test(char);
}
