import { countLines } from "../lines.js";
import type { Steps } from "../steps.js";
import { endOfLinesAfter } from "./diff-lines.js";

interface SignedText {
  readonly text: string;
  readonly sign: " " | "+" | "-";
  readonly maxLines: number;
  /** The number of its lines, if it is known: counting millions takes a while. */
  readonly lineCount?: number;
}

interface OneSidedText extends SignedText {
  readonly sign: "+" | "-";
}

interface OneSidedHunk {
  readonly text: string;
  readonly lineCount: number;
  readonly omitted: number;
}

/**
 * Prints the hunk that adds or removes a whole text. Never holds a list of all lines, so millions stay cheap.
 */
export function* oneSidedHunk({ text, sign, maxLines }: OneSidedText): Steps<OneSidedHunk> {
  const signed = yield* signedLines({ text, sign, maxLines });
  const { lineCount } = signed;
  const ranges = sign === "+" ? `-0,0 +1,${lineCount}` : `-1,${lineCount} +0,0`;
  return signed.text === "" ? signed : { ...signed, text: `@@ ${ranges} @@\n${signed.text}` };
}

/** The same lines without the header of the hunk. */
export function* signedLines({ text, sign, maxLines, ...known }: SignedText): Steps<OneSidedHunk> {
  const lineCount = known.lineCount ?? (yield* countInSteps(text));
  const shown = lineCount <= maxLines ? text : text.slice(0, endOfLinesAfter(text, 0, maxLines));
  if (shown === "") return { text: "", lineCount, omitted: lineCount };
  const isOpen = !shown.endsWith("\n");
  const body = yield* marked(isOpen ? shown : shown.slice(0, -1), sign);
  const end = isOpen ? "\n\\ No newline at end of file" : "";
  return { text: `${sign}${body}${end}`, lineCount, omitted: Math.max(0, lineCount - maxLines) };
}

/** Counts lines as `countLines` does. */
export function* countInSteps(text: string): Steps<number> {
  let count = 0;
  for (let start = 0, end = 0; start < text.length; start = end) {
    const newline = text.indexOf("\n", start + PIECE_CHARS);
    end = newline === -1 ? text.length : newline + 1;
    count += countLines(text.slice(start, end));
    yield;
  }
  return count;
}

/**
 * Works in pieces, with split and join: for short lines, five times as fast as `replace`, which collects all
 * matches first.
 */
function* marked(lines: string, sign: string): Steps<string> {
  const pieces: string[] = [];
  for (let at = 0; at < lines.length; at += PIECE_CHARS) {
    pieces.push(
      lines
        .slice(at, at + PIECE_CHARS)
        .split("\n")
        .join(`\n${sign}`),
    );
    yield;
  }
  return pieces.join("");
}

const PIECE_CHARS = 16_384;
