import { endOfClass } from "./char-set.js";

/**
 * Opening and closing delimiters of a part that can nest. A backslash escapes the next character. Brackets of
 * a class protect their contents in groups, but not in braces, which are expanded before classes are parsed.
 */
type Pair = "{}" | "()";

/** Splits at separators outside such parts. */
export function splitOutside(text: string, separator: string, [open, close]: Pair): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "[" && open === "(") at = endOfClass(text, at) - 1;
    else if (text[at] === open) depth++;
    else if (text[at] === close) depth--;
    else if (text[at] === separator && depth === 0) {
      pieces.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...pieces, text.slice(from)];
}

/** Returns the index where the part opened at an index closes, or undefined if it is unclosed. */
export function closingPlace(text: string, opens: number, [open, close]: Pair): number | undefined {
  let depth = 0;
  for (let at = opens; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "[" && open === "(") at = endOfClass(text, at) - 1;
    else if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return at;
  }
  return undefined;
}
