// How much a text looks like a language in Cyrillic letters. KOI8-R and windows-1251 swap upper and lower
// case when taken for each other, so the case pattern of the words tells them apart.

export function scoreCyrillic(text: string): number {
  let sum = 0;
  let count = 0;
  for (const [word] of text.matchAll(wordAboveAscii)) {
    const letters = word.replace(/[A-Za-z]/g, "");
    for (const character of letters) sum += weigh(character);
    sum -= letters.length * unlikelihood(word);
    count += letters.length;
  }
  return count === 0 ? 0 : sum / count;
}

const wordAboveAscii = /[A-Za-z]*[^\0-\x7f][A-Za-z\x80-\uffff]*/g;

function weigh(character: string): number {
  const lower = character.toLowerCase();
  if (common.has(lower)) return 1;
  if (usual.has(lower)) return 0.85;
  if (/[а-яё]/.test(lower)) return 0.5;
  if (/\p{sc=Cyrl}/u.test(character)) return 0.3;
  return /[«»„“”—–№…’\xa0§]/.test(character) ? 0.5 : -0.5;
}

const common: ReadonlySet<string> = new Set("оеаинтсрв");
const usual: ReadonlySet<string> = new Set("лкмдпуяыьгзб");

function unlikelihood(word: string): number {
  // Both alphabets in one word, or case as in "пРИВЕТ".
  if (/[A-Za-z]/.test(word) || /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(word)) return 1;
  // One letter alone is more often an accented one of a Latin text; capitals throughout are the rare case.
  if (word.length === 1) return 0.6;
  return /^\p{Lu}+$/u.test(word) ? 0.1 : 0;
}
