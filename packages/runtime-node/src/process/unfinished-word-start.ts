/** Where the word starts with which a text ends, if more of it may come; otherwise the end of the text. */
export function unfinishedWordStart(text: string): number {
  let start = text.length;
  while (start > 0 && IN_WORD.test(text.charAt(start - 1))) start -= 1;
  return start;
}

// What keys and tokens are made of; halves of characters too, and what stands for a character that is not complete.
const IN_WORD = /[\p{L}\p{N}\p{Cs}_+/=~\ufffd-]/u;
