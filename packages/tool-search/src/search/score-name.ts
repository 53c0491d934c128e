import type { QueryTerm } from "./query-terms.js";

/**
 * How well a query matches a path, from 0 (not at all) to about 1 (it is the file's name), and which of its words do.
 */
export interface NameFit {
  readonly score: number;
  readonly terms: ReadonlySet<QueryTerm>;
}

/** Matches whole words in any order, or the letters of an abbreviation, whichever fits better. */
export function fitName(query: string, terms: readonly QueryTerm[], path: string): NameFit {
  const byWords = fitWords(terms, path);
  const byLetters = scoreName(query, path);
  if (byLetters < ABBREVIATION || byWords.score >= byLetters) return byWords;
  return { score: byLetters, terms: new Set(terms) };
}

/** Below this, the letters match by chance. */
const ABBREVIATION = 0.55;
/** The weight of a word in a folder's name, relative to the file's own name. */
const FOLDER = 0.4;

function fitWords(terms: readonly QueryTerm[], path: string): NameFit {
  const nameStart = path.lastIndexOf("/") + 1;
  const own = wordsOf(path.slice(nameStart).replace(/(\.\w+)+$/, ""));
  const above = wordsOf(path.slice(0, nameStart));
  const found = new Set<QueryTerm>();
  const hit = new Set<string>();
  let worth = 0;
  for (const term of terms) {
    const word = own.find((each) => each.startsWith(term.stem));
    if (word !== undefined) hit.add(word);
    const isAbove = word === undefined && above.some((each) => each.startsWith(term.stem));
    if (word === undefined && !isAbove) continue;
    found.add(term);
    worth += isAbove ? FOLDER : 1;
  }
  // A folder's name alone says little about one of its files.
  if (hit.size === 0) return { score: 0, terms: found };
  return { score: (worth / terms.length) * (0.6 + 0.4 * (hit.size / own.length)), terms: found };
}

function wordsOf(name: string): readonly string[] {
  const parts = name.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "");
  // `readFile` and `HTTPServer` are two words each; the whole counts as one too.
  return parts.flatMap((part) => {
    const words = part.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{N}]+|[\p{L}\p{N}]+/gu) ?? [];
    return [...new Set([...words, part].map((word) => word.toLowerCase()))];
  });
}

/**
 * Scores a query as a subsequence of a path, from 0 (not at all) to about 1 (it is the file's name). Letters in the
 * file's own name count double, as do those at the start of a word; runs score higher than scattered letters.
 */
export function scoreName(query: string, path: string): number {
  const wanted = query.toLowerCase().replace(/[\s]+/g, "");
  if (wanted === "") return 0;
  const nameStart = path.lastIndexOf("/") + 1;
  const inName = scoreRun(wanted, path.slice(nameStart));
  const inPath = scoreRun(wanted, path);
  return Math.max(inName, inPath / 2);
}

const LETTER = 1;
const WORD_START = 1;
const CONSECUTIVE = 1;

function scoreRun(wanted: string, text: string): number {
  const lower = text.toLowerCase();
  // A few letters get longer in lower case; positions then no longer agree.
  const shown = lower.length === text.length ? text : lower;
  const whole = lower.indexOf(wanted);
  const positions = whole >= 0 ? range(whole, wanted.length) : subsequence(wanted, lower);
  if (positions === undefined) return 0;
  let points = 0;
  for (const [index, at] of positions.entries()) {
    points += LETTER;
    if (isWordStart(shown, at)) points += WORD_START;
    if (index > 0 && positions[index - 1] === at - 1) points += CONSECUTIVE;
  }
  const most = wanted.length * (LETTER + CONSECUTIVE);
  const coverage = 0.7 + 0.3 * (wanted.length / text.length);
  return Math.min(1, points / most) * coverage;
}

function range(from: number, length: number): readonly number[] {
  return Array.from({ length }, (_, index) => from + index);
}

/** Matches from the end, which keeps the letters together and close to the name. */
function subsequence(wanted: string, text: string): readonly number[] | undefined {
  const positions: number[] = [];
  let at = text.length;
  for (let index = wanted.length - 1; index >= 0; index--) {
    at = at <= 0 ? -1 : text.lastIndexOf(wanted[index] as string, at - 1);
    if (at < 0) return undefined;
    positions.unshift(at);
  }
  return positions;
}

function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text[at - 1] as string;
  const here = text[at] as string;
  return /[^\p{L}\p{N}]/u.test(before) || (/\p{Ll}|\p{N}/u.test(before) && /\p{Lu}/u.test(here));
}
