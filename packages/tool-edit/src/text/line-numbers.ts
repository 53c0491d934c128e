import { lineAt } from "@haft/text";

/** Returns the line numbers of ascending offsets in one pass. */
export function linesAt(text: string, offsets: readonly number[]): readonly number[] {
  let line = 1;
  let at = text.indexOf("\n");
  return offsets.map((offset) => {
    for (; at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
    return line;
  });
}

/** Returns the first and last line a range covers. */
export function linesCovered(
  text: string,
  start: number,
  end: number,
): { readonly startLine: number; readonly endLine: number } {
  const startLine = lineAt(text, start);
  // A range that ends with a line ending does not reach into the next line.
  const last = end > start && text[end - 1] === "\n" ? end - 1 : end;
  return { startLine, endLine: Math.max(startLine, startLine + lineAt(text.slice(start), last - start) - 1) };
}

/** Lines with their numbers, as read_file shows them. */
export function numberLines(lines: readonly string[], firstLine: number): string {
  return lines.map((line, index) => `${firstLine + index}: ${line}`).join("\n");
}
