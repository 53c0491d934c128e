import { isWordByte } from "./byte-nfa.js";
import { rangesContain } from "./char-ranges.js";
import type { Look } from "./regex-node.js";
import { decodeAt, decodeBefore, isInsideCharacter, MALFORMED, type TextSlice } from "./text-slice.js";
import { perlClass } from "./unicode-class.js";

const LF = 0x0a;
const CR = 0x0d;
const OUTSIDE = -2;

/** Evaluates position conditions for the simulations, which see the whole text. */
export class LookJudge {
  private words: readonly number[] | undefined;

  holds(look: Look, text: TextSlice, at: number): boolean {
    const { bytes, from, to } = text;
    if (look === "text-start") return at === from;
    if (look === "text-end") return at === to;
    if (look === "line-start") return at === from || bytes[at - 1] === LF;
    if (look === "line-end") return isLineEnd(text, at);
    return look.startsWith("ascii") ? asciiWordLook(look, text, at) : this.unicodeWordLook(look, text, at);
  }

  private unicodeWordLook(look: Look, text: TextSlice, at: number): boolean {
    const left = at > text.from ? decodeBefore(text, at) : OUTSIDE;
    const right = at < text.to ? decodeAt(text, at) : OUTSIDE;
    // A position inside a character is not between two characters, so not even `\B` matches.
    if (look === "not-word" && left === MALFORMED && isInsideCharacter(text, at)) return false;
    return wordLook(look, this.isWord(left), this.isWord(right));
  }

  private isWord(point: number): boolean {
    if (point < 0x80) return point >= 0 && isWordByte(point);
    this.words ??= perlClass("w", true);
    return rangesContain(this.words, point);
  }
}

/** Matches before a line feed, before CRLF, or at the end of the text, with or without a carriage return. */
function isLineEnd({ bytes, to }: TextSlice, at: number): boolean {
  if (at === to || bytes[at] === LF) return true;
  return bytes[at] === CR && (at + 1 === to || bytes[at + 1] === LF);
}

function asciiWordLook(look: Look, { bytes, from, to }: TextSlice, at: number): boolean {
  return wordLook(
    look,
    at > from && isWordByte(bytes[at - 1] as number),
    at < to && isWordByte(bytes[at] as number),
  );
}

function wordLook(look: Look, before: boolean, after: boolean): boolean {
  if (look === "word-start") return !before && after;
  if (look === "word-end") return before && !after;
  return (before !== after) === (look === "word" || look === "ascii-word");
}
