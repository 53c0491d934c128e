import { countLines, detectLineEnding } from "@haft/text";

/** The text of a file from a given line, as far as it was read. */
export interface TextSlice {
  readonly text: string;
  /** Number of the first line; negative if counted from the end of a file too big to count. */
  readonly firstLine: number;
  /** Whether the text extends to the end of the file. */
  readonly atEnd: boolean;
  /** Unread bytes of a last line that is too long. */
  readonly unreadBytes: number;
  /** The line ending, of the whole file if it was read. */
  readonly eol: ReturnType<typeof detectLineEnding>;
  /** The file has at least this many lines. */
  readonly totalLines: number;
  readonly totalLinesExact: boolean;
}

/** Resolves an offset to a line: 0 counts as 1, negative values count from the end. */
function lineAt(offset: number, totalLines: number): number {
  return offset < 0 ? Math.max(1, totalLines + offset + 1) : Math.max(1, offset);
}

/** Returns a slice of a text in memory. Empty for an offset past its end. */
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
