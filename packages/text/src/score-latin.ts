// How much a text looks like a language in Latin letters with accents. Most accented letters have the same
// byte in windows-1250 and windows-1252, so the letters that only one of the two has decide.

export function scoreWesternEuropean(text: string): number {
  return score(text, western);
}

export function scoreCentralEuropean(text: string): number {
  return score(text, central);
}

interface Alphabet {
  readonly frequent: ReadonlySet<string>;
  readonly usual: ReadonlySet<string>;
}

const western: Alphabet = {
  frequent: new Set("éèêàâçùûîôëïáíóúñäöüßãõåøæœ"),
  usual: new Set("ìòýðþÿ"),
};
const central: Alphabet = {
  frequent: new Set("áéíóúýčďěňřšťůžąćęłńśźżőűöüäôľ"),
  usual: new Set("ăâîşţđĺŕßëç"),
};

function score(text: string, alphabet: Alphabet): number {
  let sum = 0;
  let count = 0;
  for (const { 0: character, index } of text.matchAll(aboveAscii)) {
    sum += weigh(character, text.charAt(index - 1), text.charAt(index + 1), alphabet);
    count++;
  }
  return count === 0 ? 0 : sum / count;
}

const aboveAscii = /[^\0-\x7f]/g;
const asciiLetter = /[a-z]/i;

function weigh(character: string, before: string, after: string, alphabet: Alphabet): number {
  const touchesWord = asciiLetter.test(before) || asciiLetter.test(after);
  if (!/\p{L}/u.test(character))
    return weighSymbol(character, asciiLetter.test(before) && asciiLetter.test(after));
  const lower = character.toLowerCase();
  const base = alphabet.frequent.has(lower) ? 1 : alphabet.usual.has(lower) ? 0.6 : 0.1;
  if (character !== lower && /\p{Ll}/u.test(before)) return base - 1;
  if (touchesWord) return base;
  return /\p{L}/u.test(before + after) ? base - 0.8 : base - 0.5;
}

function weighSymbol(character: string, insideWord: boolean): number {
  if (/[‘’“”„‚«»–—…•·€£§©®°´\xa0¡¿ºª²³½¼×™]/.test(character))
    return insideWord && character !== "’" ? -0.5 : 0.6;
  return -0.2;
}
