// How much a text looks like a language in Cyrillic letters. KOI8-R and windows-1251 swap upper and lower
// case when taken for each other, so the case pattern of the words tells them apart.

export function scoreCyrillic(text: string): number {
  let sum = 0;
  let count = 0;
  for (const [word] of text.matchAll(wordAboveAscii)) {
    for (const character of word) if (character > "\x7f") sum += weigh(character);
    const above = word.replace(/[\0-\x7f]/g, "").length;
    if (!hasNaturalCase(word)) sum -= above * 0.7;
    if (/[a-z]/i.test(word)) sum -= above * 0.7;
    count += above;
  }
  return count === 0 ? 0 : sum / count;
}

const wordAboveAscii = /[A-Za-z]*[^\0-\x7f][A-Za-z\x80-\uffff]*/g;

function weigh(character: string): number {
  if (frequent.has(character.toLowerCase())) return 1;
  if (/[а-яё]/i.test(character)) return 0.7;
  if (/\p{sc=Cyrl}/u.test(character)) return 0.3;
  return /[«»„“”—–№…’\xa0§]/.test(character) ? 0.5 : -0.5;
}

const frequent: ReadonlySet<string> = new Set("оеаинтсрвлкмдпуяыьгзб");

function hasNaturalCase(word: string): boolean {
  return !/\p{Ll}\p{Lu}/u.test(word) && !/\p{Lu}{2}\p{Ll}/u.test(word);
}
