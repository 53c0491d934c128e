import { countLines, detectLineEnding } from "@haft/text";

/** Text of a file from some line on, as far as it was read. */
export interface TextSlice {
  readonly text: string;
  /** Number of its first line; negative when it counts from the end of a file too big to be counted. */
  readonly firstLine: number;
  /** Whether the text goes on to the end of the file. */
  readonly atEnd: boolean;
  /** Bytes of its last line that were left unread, because the line is too long. */
  readonly unreadBytes: number;
  /** Line endings, of the whole file where it was read. */
  readonly eol: ReturnType<typeof detectLineEnding>;
  /** At least this many lines are in the file. */
  readonly totalLines: number;
  readonly totalLinesExact: boolean;
}

/** The line that an offset asks for: 0 is taken for 1, negative counts from the end. */
export function lineAt(offset: number, totalLines: number): number {
  return offset < 0 ? Math.max(1, totalLines + offset + 1) : Math.max(1, offset);
}

/** A slice of a text that is in memory. An offset past its end gives an empty slice. */
export function sliceOfText(text: string, offset: number): TextSlice {
  const totalLines = countLines(text);
  const firstLine = lineAt(offset, totalLines);
  return {
    text: text.slice(startOfLine(text, firstLine)),
    firstLine,
    atEnd: true,
    unreadBytes: 0,
    eol: detectLineEnding(text),
    totalLines,
    totalLinesExact: true,
  };
}

function startOfLine(text: string, line: number): number {
  let start = 0;
  for (let current = 1; current < line; current += 1) {
    const newline = text.indexOf("\n", start);
    if (newline === -1) return text.length;
    start = newline + 1;
  }
  return start;
}
