// Scores how much a text looks like Chinese, Japanese or Korean: the mean over its characters above ASCII. In
// real text a few hundred characters dominate; a wrong decoding scatters over rare ones.
import { frequentCharacters } from "./frequent-characters.js";

export const eastAsianScores = {
  simplifiedChinese: scorer({
    frequent: frequentCharacters.simplifiedChinese,
    han: 0.4,
    kana: -0.2,
    hangul: -0.5,
  }),
  traditionalChinese: scorer({
    frequent: frequentCharacters.traditionalChinese,
    han: 0.4,
    kana: -0.2,
    hangul: -0.5,
  }),
  japanese: scorer({ frequent: frequentCharacters.japanese, han: 0.4, kana: 0.9, hangul: -0.5 }),
  korean: scorer({ frequent: frequentCharacters.korean, han: 0, kana: -0.2, hangul: 0.5 }),
} as const;

interface Language {
  readonly frequent: ReadonlySet<string>;
  readonly han: number;
  readonly kana: number;
  readonly hangul: number;
}

function scorer(language: Language): (text: string) => number {
  return (text) => {
    let sum = 0;
    let count = 0;
    for (const match of text.matchAll(aboveAscii)) {
      const characters = [...match[0]];
      for (const character of characters) sum += weigh(character, language);
      if (characters.length === 1 && touchesWord(text, match.index)) sum -= 0.6;
      count += characters.length;
    }
    return count === 0 ? 0 : sum / count;
  };
}

const aboveAscii = /[^\0-\x7f]+/g;

/** A single ideograph next to Latin letters is usually an accented letter that swallowed its neighbour. */
function touchesWord(text: string, index: number): boolean {
  return /[a-z]/i.test(text.charAt(index - 1)) || /[a-z]/i.test(text.charAt(index + 1));
}

function weigh(character: string, language: Language): number {
  if (language.frequent.has(character)) return 1;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x4e00 && code <= 0x9fff) return language.han;
  if (code >= 0x3041 && code <= 0x30ff) return language.kana;
  if (code >= 0xac00 && code <= 0xd7a3) return language.hangul;
  if (code >= 0x3000 && code <= 0x303f) return 0.6;
  if (code >= 0xff01 && code <= 0xff5e) return 0.6;
  if (code >= 0xff61 && code <= 0xff9f) return 0.1;
  if (code >= 0x2010 && code <= 0x2027) return 0.3;
  return code >= 0xe000 && code <= 0xf8ff ? -1 : -0.3;
}
