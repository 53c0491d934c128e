// How much a text looks like a language in Latin letters with accents. Most accented letters have the same
// byte in windows-1250 and windows-1252; where they differ ("ø" is "ř", "è" is "č"), the neighbours decide.

export function scoreWesternEuropean(text: string): number {
  return score(text, western);
}

export function scoreCentralEuropean(text: string): number {
  return score(text, central);
}

/** How usual a letter is between its neighbours: the first pattern that fits. A space is any non-letter. */
type Habits = readonly (readonly [RegExp, number])[];

const western: Habits = [
  [/ [àéèíóòúùêô] /, 0.7],
  [/ñ[aeiouáéíóú]/, 1],
  [/õe|ã[oe ]|œu|[aou]ï[a-z]|û[bcdlmnprstv]|[àìòù] /, 1],
  [/ø[aeiouyáéíýìù]|è[aeiouyáéíóúý]| è[a-zà-ÿ]|æ /, 0.1],
  [/ê /, 0.5],
  [/ à/, 0.8],
  [/[éèêâçîôëáíóúäöüßåøæ]/, 1],
  [/[ýðþÿ]/, 0.5],
];

const central: Habits = [
  [/ [áéíóúôő] /, 0.4],
  [/ń[aeiouyąęó]|őe|ă[oe]/, 0.1],
  [/ř[aeiouyáéíóúýěů]/, 1],
  [/ř /, 0.7],
  [/č |śu|ż[^aeiouyąęó]/, 0.3],
  [/[ůě] /, 0.9],
  [/[ňďűă]/, 0.8],
  [/ć[^ ]/, 0.6],
  [/[áéíóúýčěńřšťůžąćęłśźżőöüäôľ]/, 1],
  [/[âîşţđßëç]/, 0.6],
];

function score(text: string, habits: Habits): number {
  let sum = 0;
  let count = 0;
  for (const { index } of text.matchAll(aboveAscii)) {
    sum += weigh(text, index, habits);
    count++;
  }
  return count === 0 ? 0 : sum / count;
}

const aboveAscii = /[^\0-\x7f]/g;
const asciiLetter = /[a-z]/i;
const letter = /\p{L}/u;

function weigh(text: string, index: number, habits: Habits): number {
  const before = text.charAt(index - 1);
  const character = text.charAt(index);
  const after = text.charAt(index + 1);
  if (!letter.test(character)) return weighSymbol(character, before, after);
  const window = [before, character, after]
    .map((each) => (letter.test(each) ? each.toLowerCase() : " "))
    .join("");
  const usual = habits.find(([pattern]) => pattern.test(window))?.[1] ?? 0.1;
  if (/\p{Ll}\p{Lu}/u.test(before + character) || /\p{Ll}\p{Lu}/u.test(character + after)) return usual - 1;
  const alone = !letter.test(before) && !letter.test(after);
  return alone || asciiLetter.test(before + after) ? usual : usual - 0.8;
}

function weighSymbol(character: string, before: string, after: string): number {
  if (/[¡¿]/.test(character)) return asciiLetter.test(before) ? -0.5 : 0.9;
  if (!/[‘’“”„‚«»–—…•·€£§©®°´\xa0ºª²³½¼×™]/.test(character)) return -0.2;
  return asciiLetter.test(before) && asciiLetter.test(after) && !/[’–—]/.test(character) ? -0.5 : 0.6;
}
