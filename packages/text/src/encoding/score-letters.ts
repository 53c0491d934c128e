import { lazyPattern } from "../lazy-pattern.js";
// Scores how much an alphabetic text looks like one of the languages an encoding is used for. In real text a
// few letter pairs dominate; a wrong decoding scatters over pairs that no language uses.
import { type Language, letterPairs } from "./letter-pairs.js";

/** Returns the best score among the languages, from -1 to 1: the mean over the characters above ASCII. */
export function scoreLetters(text: string, languages: readonly Language[]): number {
  const { pairs, base, count } = pairsAboveAscii(text);
  if (count === 0) return 0;
  const sums = languages.map((language) => {
    const weights = weightsOf(language);
    return pairs.reduce((sum, pair) => sum + (weights.get(pair) ?? unseen(pair)), 0);
  });
  return (Math.max(...sums) / 2 + base) / count;
}

interface AboveAscii {
  /** For each letter above ASCII, its pairs with the preceding and the following character. */
  readonly pairs: readonly number[];
  /** The contribution of symbols and letter case, independent of language. */
  readonly base: number;
  readonly count: number;
}

function pairsAboveAscii(text: string): AboveAscii {
  const pairs: number[] = [];
  let base = 0;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) < 0x80) continue;
    count++;
    const [before, here, after] = [text.charAt(at - 1), text.charAt(at), text.charAt(at + 1)];
    if (isLetter(here)) {
      pairs.push(pairOf(before, here), pairOf(here, after));
      base -= mismatch(before, here) + mismatch(here, after) + loneliness(before, here, after);
    } else base += weighSymbol(here, before, after);
  }
  return { pairs, base, count };
}

function pairOf(first: string, second: string): number {
  return keyOf(first) * 0x10000 + keyOf(second);
}

function keyOf(character: string): number {
  return isLetter(character) ? character.toLowerCase().charCodeAt(0) : SPACE;
}

const SPACE = 0x20;
const LETTER = lazyPattern(String.raw`[\p{L}\p{M}]`);
const LATIN = lazyPattern(String.raw`\p{sc=Latn}`);
const LOWER_THEN_UPPER = lazyPattern(String.raw`\p{Ll}\p{Lu}`);
const TWO_ALPHABETS = lazyPattern(String.raw`[a-z][^\0-\x7f\p{sc=Latn}]|[^\0-\x7f\p{sc=Latn}][a-z]`, "iu");

function isLetter(character: string): boolean {
  return LETTER().test(character) && character !== "ª" && character !== "º";
}

/** Patterns no language has: "пРИВЕТ", from encodings with swapped cases, or two alphabets in one word. */
function mismatch(first: string, second: string): number {
  if (LOWER_THEN_UPPER().test(first + second)) return 0.5;
  return TWO_ALPHABETS().test(first + second) ? 0.5 : 0;
}

/** A single letter of another alphabet is more often an accented letter or a quote in Latin text. */
function loneliness(before: string, letter: string, after: string): number {
  return isLetter(before) || isLetter(after) || LATIN().test(letter) ? 0 : 0.7;
}

function weighSymbol(symbol: string, before: string, after: string): number {
  if (/[\x80-\x9f]/.test(symbol)) return -1;
  if (/[¡¿]/.test(symbol)) return isLetter(before) ? -0.5 : 0.9;
  if (isLetter(before) && isLetter(after))
    return /[’–—ـ·]/.test(symbol) ? 0.6 : symbol === "\xa0" ? 0.3 : -0.8;
  if (/[·²³½¼×]/.test(symbol) && (isLetter(before) || isLetter(after))) return 0.1;
  if (/[’”]/.test(symbol) && /^\s?$/.test(before) && isLetter(after)) return 0;
  return usualSymbols.test(symbol) ? 0.6 : -0.4;
}

const usualSymbols = /[‘’“”„‚‹›«»–—…•·€£§©®°´\xa0ºª²³½¼×™№،؛؟]/;

/** Score of a pair by frequency group: the first group covers half of a text, the next 30 %, then 15 %. */
const WEIGHTS = [1, 0.9, 0.7, 0.4] as const;

/**
 * Latin-script languages borrow names and words from each other, so an unknown pair counts less against them.
 */
function unseen(pair: number): number {
  return pair % 0x10000 < LATIN_END && pair < LATIN_END * 0x10000 ? -0.3 : -0.5;
}

const LATIN_END = 0x250;

function weightsOf(language: Language): ReadonlyMap<number, number> {
  const known = weightsByLanguage.get(language);
  if (known !== undefined) return known;
  const weights = new Map<number, number>();
  for (const [index, group] of letterPairs[language].entries()) {
    for (let at = 0; at < group.length; at += 2)
      weights.set(group.charCodeAt(at) * 0x10000 + group.charCodeAt(at + 1), WEIGHTS[index] ?? 0);
  }
  weightsByLanguage.set(language, weights);
  return weights;
}

// Filled on first use of a language: most processes never read such a file.
const weightsByLanguage = new Map<Language, ReadonlyMap<number, number>>();
