/** A piece of escaped text and its style. */
export interface Span {
  readonly text: string;
  paint(text: string): string;
}

/** Text that stays on one row, and the white space after it. */
export interface Word {
  readonly parts: readonly Span[];
  readonly space?: Span;
}

/** Splits text where a row may end: after white space, and between ideographs. Styles do not split words. */
export function wordsOf(spans: readonly Span[]): readonly Word[] {
  const words: Word[] = [];
  let parts: Span[] = [];
  let last = "";
  const endWord = (space?: Span) => {
    if (space !== undefined) words.push({ parts, space });
    else if (parts.length > 0) words.push({ parts });
    parts = [];
    last = "";
  };
  for (const { text, paint } of spans) {
    for (const token of text.match(TOKENS) ?? []) {
      if (token.trim() === "") {
        endWord({ text: token, paint });
        continue;
      }
      if (mayBreak(last, token)) endWord();
      parts.push({ text: token, paint });
      last = token;
    }
  }
  endWord();
  return words;
}

const IDEOGRAPH = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}";
const TOKENS = new RegExp(`\\s+|[${IDEOGRAPH}]|[^\\s${IDEOGRAPH}]+`, "gu");
const IS_IDEOGRAPH = new RegExp(`^[${IDEOGRAPH}]$`, "u");
/** A row must not start with these. */
const CLOSING = /^[、。，．！？：；）」』】〉》〕”’…ー々,.;:!?)\]}%]/u;
/** A row must not end with these. */
const OPENING = /[（「『【〈《〔“‘([{]$/u;

function mayBreak(last: string, next: string): boolean {
  const isBetween = last !== "" && (IS_IDEOGRAPH.test(last) || IS_IDEOGRAPH.test(next));
  return isBetween && !CLOSING.test(next) && !OPENING.test(last);
}
