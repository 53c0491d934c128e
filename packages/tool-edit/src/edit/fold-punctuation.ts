import type { Pace } from "@haft/core/workspace";

/**
 * Replaces typographic quotes, dashes and spaces with ASCII. Maps characters one to one, so that offsets stay valid.
 */
export function foldPunctuation(text: string): string {
  if (!FOLDED.test(text)) return text;
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += CHUNK_CHARS)
    parts.push(foldChunk(text.slice(at, at + CHUNK_CHARS)));
  return parts.join("");
}

/** Does the same with a long text, and yields between its parts. */
export async function foldLongText(text: string, pace: Pace): Promise<string> {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += PART_CHARS) {
    await pace.breathe();
    parts.push(foldPunctuation(text.slice(at, at + PART_CHARS)));
  }
  return parts.join("");
}

/** Works on codes, because a text may consist of such characters, and a regular expression takes a call for each. */
function foldChunk(chunk: string): string {
  const codes = new Uint16Array(chunk.length);
  for (let at = 0; at < chunk.length; at += 1) codes[at] = foldCode(chunk.charCodeAt(at));
  return String.fromCharCode(...codes);
}

function foldCode(code: number): number {
  if (code < NO_BREAK_SPACE) return code;
  if (code >= GENERAL_PUNCTUATION && code < GENERAL_PUNCTUATION + FOLDED_PUNCTUATION.length)
    return FOLDED_PUNCTUATION[code - GENERAL_PUNCTUATION] as number;
  return ASCII.get(code) ?? code;
}

const PART_CHARS = 1_000_000;
const CHUNK_CHARS = 4_096;
const NO_BREAK_SPACE = 0xa0;
/** Where Unicode's block of that name starts. */
const GENERAL_PUNCTUATION = 0x2000;

const ASCII: ReadonlyMap<number, number> = new Map(
  Object.entries({
    "'": "‘’‚‛′",
    '"': "“”„‟″",
    "-": "‐‑‒–—―−",
    " ": "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
  }).flatMap(([ascii, characters]) =>
    [...characters].map((character) => [character.charCodeAt(0), ascii.charCodeAt(0)] as const),
  ),
);

/** The block as an array, which is several times faster than a map. */
const FOLDED_PUNCTUATION = Uint16Array.from({ length: 0x70 }, (_, index) => {
  const code = GENERAL_PUNCTUATION + index;
  return ASCII.get(code) ?? code;
});

const FOLDED = /[‘’‚‛′“”„‟″‐‑‒–—―−\u00a0\u2002-\u200a\u202f\u205f\u3000]/;
