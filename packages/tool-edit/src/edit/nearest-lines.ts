import { splitLines } from "@haft/text";

export interface NearLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  /** 0 to 1. */
  readonly similarity: number;
}

/** The lines of a text most like the first line of what was looked for; cheap enough for any file. */
export function nearestLines(text: string, wanted: string, max: number): readonly NearLine[] {
  const sought = splitLines(wanted)
    .find((line) => line.trim() !== "")
    ?.trim()
    .slice(0, MAX_LINE_CHARS);
  if (sought === undefined) return [];
  const bigrams = bigramsOf(sought);
  const near: NearLine[] = [];
  let compared = 0;
  for (const [index, line] of splitLines(text).entries()) {
    const candidate = line.trim().slice(0, MAX_LINE_CHARS);
    compared += Math.min(candidate.length, sought.length) + 1;
    if (compared > MAX_COMPARED_CHARS) break;
    const similarity = similarityTo(bigrams, sought, candidate);
    if (similarity >= MIN_SIMILARITY) near.push({ line: index + 1, text: line, similarity });
  }
  return near.sort((a, b) => b.similarity - a.similarity || a.line - b.line).slice(0, max);
}

/** How alike two texts are: the share of letter pairs they have in common. */
export function similarity(a: string, b: string): number {
  return similarityTo(bigramsOf(a), a, b);
}

const MAX_COMPARED_CHARS = 4_000_000;
const MAX_LINE_CHARS = 300;
const MIN_SIMILARITY = 0.4;

function similarityTo(bigrams: ReadonlyMap<string, number>, sought: string, candidate: string): number {
  if (sought === candidate) return 1;
  const pairs = sought.length + candidate.length - 2;
  if (pairs <= 0) return 0;
  // Texts of very different length cannot be alike enough; most lines of a file end here.
  if (Math.min(sought.length, candidate.length) * 2 < pairs * MIN_SIMILARITY) return 0;
  const left = new Map(bigrams);
  let common = 0;
  for (let index = 0; index < candidate.length - 1; index += 1) {
    const pair = candidate.slice(index, index + 2);
    const count = left.get(pair) ?? 0;
    if (count === 0) continue;
    left.set(pair, count - 1);
    common += 1;
  }
  return (2 * common) / pairs;
}

function bigramsOf(text: string): ReadonlyMap<string, number> {
  const bigrams = new Map<string, number>();
  for (let index = 0; index < text.length - 1; index += 1) {
    const pair = text.slice(index, index + 2);
    bigrams.set(pair, (bigrams.get(pair) ?? 0) + 1);
  }
  return bigrams;
}
