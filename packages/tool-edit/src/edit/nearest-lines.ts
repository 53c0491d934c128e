import { splitLines } from "@haft/text";

interface NearLine {
  /** 1-based. */
  readonly line: number;
  /** Where it starts in the text. */
  readonly start: number;
  readonly text: string;
  /** 0 to 1. */
  readonly similarity: number;
}

/** Returns the lines most similar to the first line of the sought text, cheaply for any file. */
export function nearestLines(text: string, wanted: string, max: number): readonly NearLine[] {
  const sought = splitLines(wanted)
    .find((line) => line.trim() !== "")
    ?.trim()
    .slice(0, MAX_LINE_CHARS);
  if (sought === undefined) return [];
  const bigrams = bigramsOf(sought);
  const near: NearLine[] = [];
  let compared = 0;
  for (const { number, start, end } of linesIn(text)) {
    const shown = text.slice(start, Math.min(end, start + MAX_LINE_CHARS + MAX_INDENT));
    const candidate = shown.trim().slice(0, MAX_LINE_CHARS);
    compared += Math.min(candidate.length, sought.length) + COST_OF_A_LINE;
    if (compared > MAX_COMPARED_CHARS) break;
    const similarity = similarityTo(bigrams, sought, candidate);
    if (similarity >= MIN_SIMILARITY)
      near.push({ line: number, start, text: text.slice(start, end), similarity });
  }
  return near.sort((a, b) => b.similarity - a.similarity || a.line - b.line).slice(0, max);
}

function* linesIn(text: string): Generator<{ number: number; start: number; end: number }> {
  let start = 0;
  for (let number = 1; start < text.length; number += 1) {
    const newline = text.indexOf("\n", start);
    const next = newline === -1 ? text.length : newline + 1;
    const isCrlf = newline > start && text[newline - 1] === "\r";
    yield { number, start, end: newline === -1 ? text.length : isCrlf ? newline - 1 : newline };
    start = next;
  }
}

/** Returns the similarity of two texts: the share of common letter pairs. */
export function similarity(a: string, b: string): number {
  return similarityTo(bigramsOf(a), a, b);
}

// About a tenth of a second.
const MAX_COMPARED_CHARS = 2_000_000;
const COST_OF_A_LINE = 10;
const MAX_LINE_CHARS = 300;
const MAX_INDENT = 300;
const MIN_SIMILARITY = 0.4;

/** Takes pairs from `bigrams` and puts them back. */
function similarityTo(bigrams: Map<string, number>, sought: string, candidate: string): number {
  if (sought === candidate) return 1;
  const pairs = sought.length + candidate.length - 2;
  if (pairs <= 0) return 0;
  // Texts of very different length cannot be similar enough; this excludes most lines.
  if (Math.min(sought.length, candidate.length) * 2 < pairs * MIN_SIMILARITY) return 0;
  const common: string[] = [];
  for (let index = 0; index < candidate.length - 1; index += 1) {
    const pair = candidate.slice(index, index + 2);
    const count = bigrams.get(pair) ?? 0;
    if (count === 0) continue;
    bigrams.set(pair, count - 1);
    common.push(pair);
  }
  // Restoring the removed pairs costs less than a copy for every line.
  for (const pair of common) bigrams.set(pair, (bigrams.get(pair) ?? 0) + 1);
  return (2 * common.length) / pairs;
}

function bigramsOf(text: string): Map<string, number> {
  const bigrams = new Map<string, number>();
  for (let index = 0; index < text.length - 1; index += 1) {
    const pair = text.slice(index, index + 2);
    bigrams.set(pair, (bigrams.get(pair) ?? 0) + 1);
  }
  return bigrams;
}
