/** Returns the start of an unfinished last word, or the length of the text. */
export function unfinishedWordStart(text: string): number {
  made.inWord ??= new RegExp(IN_WORD, "u");
  let start = text.length;
  while (start > 0 && made.inWord.test(text.charAt(start - 1))) start -= 1;
  return start;
}

// The characters of keys and tokens, surrogate halves, and the replacement for an incomplete character.
const IN_WORD = String.raw`[\p{L}\p{N}\p{Cs}_+/=~\ufffd-]`;
// Made on first use: V8 expands the properties of a literal whenever it reads this file.
const made: { inWord?: RegExp } = {};
