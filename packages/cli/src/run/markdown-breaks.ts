import { stripVTControlCharacters } from "node:util";
import type { Block } from "./markdown-block.js";
import { wordsOf } from "./words-of.js";

/** A line of Markdown to break into rows. */
export interface BreakableText {
  readonly text: string;
  readonly isCode: boolean;
}

/** Ignores trailing spaces. */
export function isSameRow(one: string, other = ""): boolean {
  return stripVTControlCharacters(one).trimEnd() === stripVTControlCharacters(other).trimEnd();
}

/** Returns the positions where a row may end: between words, or anywhere in code. */
export function breaksOf({ text, isCode }: BreakableText): readonly number[] {
  const lengths = isCode ? [...text].map((character) => character.length) : wordLengths(text);
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return end;
  });
}

/** Returns the number of words in the rows of a block, without its prefixes. In code, each character is one. */
export function wordCount(rows: readonly string[], { isCode, first, rest }: Block): number {
  const shown = rows.map((row, at) => stripVTControlCharacters(row).slice((at === 0 ? first : rest).length));
  const lengths = isCode ? [...shown.join("")] : shown.flatMap(wordLengths);
  return lengths.length;
}

/** Returns the last position for which the text fits. Requires that later positions need at least as many rows. */
export function lastFitting(places: readonly number[], fits: (place: number) => boolean): number | undefined {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(places[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : places[low - 1];
}

function wordLengths(text: string): readonly number[] {
  return wordsOf([{ text, paint: String }]).map(({ parts, space }) =>
    parts.reduce((length, part) => length + part.text.length, space?.text.length ?? 0),
  );
}
