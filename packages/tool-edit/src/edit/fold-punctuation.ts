/**
 * A text with typographic quotes, dashes and spaces as their ASCII look-alikes. Every character
 * becomes exactly one, so that an offset in the folded text is an offset in the original.
 */
export function foldPunctuation(text: string): string {
  return text.replace(FOLDED, (character) => ASCII.get(character) ?? character);
}

const ASCII: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "'": "‘’‚‛′",
    '"': "“”„‟″",
    "-": "‐‑‒–—―−",
    " ": "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
  }).flatMap(([ascii, characters]) => [...characters].map((character) => [character, ascii] as const)),
);

const FOLDED = /[‘’‚‛′“”„‟″‐‑‒–—―−\u00a0\u2002-\u200a\u202f\u205f\u3000]/g;
