// A line ends only at "\n" or "\r\n": U+2028, U+0085, VT, FF and a lone "\r" are text.

export interface LineSpan {
  readonly start: number;
  /** Offset where the text of the line ends, excluding the line ending. */
  readonly end: number;
  readonly ending: "" | "\n" | "\r\n";
}

/** Splits a text into lines without their endings. `"a\n"` is one line, `""` is none. */
export function splitLines(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.length - 1;
  if (lines[last] === "") lines.pop();
  if (!text.includes("\r\n")) return lines;
  // Only the elements before `last` were followed by "\n": a "\r" at the very end is text.
  return lines.map((line, index) => (index < last && line.endsWith("\r") ? line.slice(0, -1) : line));
}

export function countLines(text: string): number {
  let count = 0;
  let start = 0;
  for (let newline = text.indexOf("\n"); newline !== -1; newline = text.indexOf("\n", start)) {
    count++;
    start = newline + 1;
  }
  return start < text.length ? count + 1 : count;
}

/** Returns the 1-based number of the line that contains an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** Returns the span of each line, so that an edit can splice one line and leave every other byte unchanged. */
export function lineSpans(text: string): LineSpan[] {
  const spans: LineSpan[] = [];
  let start = 0;
  for (let newline = text.indexOf("\n"); newline !== -1; newline = text.indexOf("\n", start)) {
    const crlf = newline > start && text.charCodeAt(newline - 1) === 13;
    spans.push({ start, end: crlf ? newline - 1 : newline, ending: crlf ? "\r\n" : "\n" });
    start = newline + 1;
  }
  if (start < text.length) spans.push({ start, end: text.length, ending: "" });
  return spans;
}
